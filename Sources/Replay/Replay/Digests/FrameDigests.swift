import FrameModel
import Kernels
import MattePipeline

/// Stages with a digest, in processing order: the first that differs introduced the difference.
package enum DigestStage: String, CaseIterable, Sendable {
  /// Frame bytes as decoded from the recording.
  case sourceColor = "source_color"
  case sourceDepth = "source_depth"
  /// UInt16 millimetres in the size of the prepared depth map.
  case depth
  /// 0 ... 255 in the size of the mask.
  case mask
  /// 0 ... 255 in the size of the video.
  case matte
  /// Packed RGB in the size of the video.
  case composite

  /// Replaces the digest of a stage that produced nothing.
  package static let none = "none"

  /// Index among all stages.
  package var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Computes XXH3-128 of each output's stages, reusing digests of stages that did not change.
package struct FrameDigests {
  private var depthDigests: (source: String, prepared: String)?
  private var maskDigest: String?
  private var matteDigest: String?

  package init() {}

  /// - Returns: 32 hexadecimal digits each, or "none", in the order of `DigestStage`.
  package mutating func of(_ output: PipelineOutput) -> [String] {
    if output.changed.contains(.depth) || depthDigests == nil {
      depthDigests = (output.sourceDepth.map(Self.digest) ?? DigestStage.none, Self.digest(output.depth?.bytes))
    }
    if output.changed.contains(.mask) || maskDigest == nil { maskDigest = Self.digest(output.mask?.bytes) }
    if output.changed.contains(.matte) || matteDigest == nil { matteDigest = Self.digest(output.matte?.bytes) }
    // A missing stage can appear in the next output without being marked as changed.
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

  /// Uses the digest that a decoder has computed, if any.
  private static func digest(_ frame: Frame) -> String { (frame.digest ?? Checksum.xxh3Digest(frame.bytes)).hex }

  private static func digest(_ bytes: UnsafeRawBufferPointer?) -> String {
    bytes.map { Checksum.xxh3Hex128($0) } ?? DigestStage.none
  }
}
