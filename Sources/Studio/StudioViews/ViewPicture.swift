import FrameModel
import Kernels
import MattePipeline
import Replay

/// The pictures of one frame, copied out of the pipeline.
package struct ViewPicture: Sendable {
  package struct Plane: Sendable {
    package let tap: Tap
    package let size: PictureSize
    /// Packed RGB for `original` and `composite`, little-endian millimetres for `depth`, else one byte a pixel.
    package let bytes: [UInt8]
    /// XXH3-128 of the bytes, as a replay's digests have it.
    package let digest: String

    /// Every `step`th pixel of every `step`th row, from the middle of the first of them on.
    /// - Parameter step: 1 to the smaller side.
    package func thinned(_ step: Int) -> [UInt8] {
      guard step > 1 else { return bytes }
      let (width, height) = (size.width / step, size.height / step)
      let pixel = bytes.count / (size.width * size.height)
      return [UInt8](unsafeUninitializedCapacity: width * height * pixel) { thin, count in
        var i = 0
        for y in 0..<height {
          var j = ((y * step + step / 2) * size.width + step / 2) * pixel
          for _ in 0..<width {
            for k in 0..<pixel { thin[i + k] = bytes[j + k] }
            (i, j) = (i + pixel, j + step * pixel)
          }
        }
        count = i
      }
    }
  }

  /// Number of the frame set.
  package let frame: Int
  package let planes: [Plane]
  /// The pictures that are bit for bit those of a replay of the span.
  package let exact: PipelineStages
  package let depthIsNew: Bool
  /// 0 without a cut-off.
  package let cutoffMillimeters: Int
  package let faces: [FaceObservation]
  /// Why a replay gives no picture of this frame; nil if it does. Original and depth may be there all the same.
  package let missing: MissingPicture?

  package var byteCount: Int { planes.reduce(0) { $0 + $1.bytes.count } }

  package func isExact(_ taps: [Tap]) -> Bool { taps.allSatisfy { exact.contains($0.picture) } }
}

extension Tap {
  /// The picture that it shows.
  package var picture: PipelineStages {
    switch self {
    case .original: .original
    case .depth: .depth
    case .mask: .mask
    case .matte: .matte
    case .composite: .composite
    }
  }
}

extension ViewPicture {
  init(_ output: PipelineOutput, frame: Int, exact: PipelineStages, faces: [FaceObservation]) {
    self.frame = frame
    self.exact = exact
    self.faces = faces
    missing = nil
    depthIsNew = output.depthIsNew
    cutoffMillimeters = Int(output.cutoffMillimeters)
    planes = Tap.allCases.compactMap { Plane($0, output) }
  }

  /// - Parameter unmasked: what there is of a frame that the pipeline skipped.
  init(
    _ missing: MissingPicture, _ unmasked: UnmaskedPictures?, frame: Int, exact: PipelineStages,
    faces: [FaceObservation]
  ) {
    self.frame = frame
    self.exact = exact
    self.faces = faces
    self.missing = missing
    depthIsNew = unmasked?.depthIsNew ?? false
    cutoffMillimeters = 0
    planes =
      (unmasked.map { [Plane(.original, $0.original)] } ?? [])
      + (unmasked?.depth.map { [Plane(.depth, $0)] } ?? [])
  }
}

extension ViewPicture.Plane {
  /// Nil for a picture that the pipeline does not make.
  fileprivate init?(_ tap: Tap, _ output: PipelineOutput) {
    switch tap {
    case .original: self.init(tap, output.original)
    case .depth:
      guard let plane = output.depth else { return nil }
      self.init(tap, plane)
    case .mask:
      guard let plane = output.mask else { return nil }
      self.init(tap, plane)
    case .matte:
      guard let plane = output.matte else { return nil }
      self.init(tap, plane)
    case .composite: self.init(tap, output.composite)
    }
  }

  fileprivate init<Sample>(_ tap: Tap, _ plane: PixelPlane<Sample>) {
    self.tap = tap
    size = PictureSize(plane.width, plane.height)
    bytes = Array(plane.bytes)
    digest = Checksum.xxh3Hex128(plane.bytes)
  }
}
