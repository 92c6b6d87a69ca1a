import FrameModel
import Kernels
import MattePipeline

/// What a frame has a digest of, in the order in which a frame comes through: the first stage that differs is where the
/// difference was made.
package enum DigestStage: String, CaseIterable, Sendable {
  /// As the recording has them.
  case sourceColor = "source_color"
  case sourceDepth = "source_depth"
  /// UInt16 millimetres at the prepared depth map's size.
  case depth
  /// 0 ... 255 at the mask's size.
  case mask
  /// 0 ... 255 at the video's size.
  case matte
  /// Packed RGB at the video's size.
  case composite

  /// Instead of a digest, where the pipeline made nothing.
  package static let none = "none"

  /// Its place in a line's digests.
  package var position: Int {
    switch self {
    case .sourceColor: 0
    case .sourceDepth: 1
    case .depth: 2
    case .mask: 3
    case .matte: 4
    case .composite: 5
    }
  }
}

/// XXH3-128 of the stages of one output after the other; what did not change since the last one is not computed again.
package struct FrameDigests {
  private var depthDigests: (source: String, prepared: String)?
  private var maskDigest: String?
  private var matteDigest: String?

  package init() {}

  /// - Returns: in `DigestStage`'s order, 32 hexadecimal digits each, or "none".
  package mutating func of(_ output: PipelineOutput) -> [String] {
    if output.changed.contains(.depth) || depthDigests == nil {
      depthDigests = (output.sourceDepth.map(Self.digest) ?? DigestStage.none, Self.digest(output.depth?.bytes))
    }
    if output.changed.contains(.mask) || maskDigest == nil { maskDigest = Self.digest(output.mask?.bytes) }
    if output.changed.contains(.matte) || matteDigest == nil { matteDigest = Self.digest(output.matte?.bytes) }
    // What this output lacks the next one may have, without its being another.
    defer {
      if output.depth == nil { depthDigests = nil }
      if output.mask == nil { maskDigest = nil }
      if output.matte == nil { matteDigest = nil }
    }
    return [
      Self.digest(output.sourceColor), depthDigests?.source ?? DigestStage.none,
      depthDigests?.prepared ?? DigestStage.none, maskDigest ?? DigestStage.none, matteDigest ?? DigestStage.none,
      Self.digest(output.composite.bytes),
    ]
  }

  /// What a decoder has found out is not computed again.
  private static func digest(_ frame: Frame) -> String { (frame.digest ?? Checksum.xxh3Digest(frame.bytes)).hex }

  private static func digest(_ bytes: UnsafeRawBufferPointer?) -> String {
    bytes.map { Checksum.xxh3Hex128($0) } ?? DigestStage.none
  }
}
