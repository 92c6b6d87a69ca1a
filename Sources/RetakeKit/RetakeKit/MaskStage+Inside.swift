internal import FrameModel
internal import Kernels
internal import MattePipeline
internal import Parameters
internal import RetakeReader
internal import Support

extension OutsideStage {
  init(_ stage: any MaskStage) throws(RetakeReader.RetakeError) {
    self = try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      try OutsideStage(
        group: "mask", name: stage.name, revision: stage.revision, needsDepth: stage.needsDepth,
        parameters: stage.parameters.map(\.declaration), maker: MaskerMaker(stage: stage))
    }
  }
}

/// Runs code of the caller's.
private func outside<Result>(_ body: () throws -> Result) throws(InsideError) -> Result {
  do { return try body() } catch {
    if let error = error as? RetakeReader.RetakeError { throw error.inside(or: .unsupported) }
    throw InsideError(.unsupported, "\(error)")
  }
}

private struct MaskerMaker: OutsideMaskMaker {
  let stage: any MaskStage

  func make(
    video: PictureSize, depth: PictureSize?, _ parameters: ParameterSet
  ) throws(InsideError) -> any OutsideMask {
    let prefix = "mask.\(stage.name)."
    let own = parameters.entries.filter { $0.name.hasPrefix(prefix) }
    let values = Dictionary(own.map { (String($0.name.dropFirst(prefix.count)), $0.value) }) { first, _ in first }
    let setup = MaskSetup(
      videoWidth: video.width, videoHeight: video.height, depthWidth: depth?.width, depthHeight: depth?.height,
      values: values)
    return OwnMask(try outside { try stage.makeMasker(setup) }, needsDepth: stage.needsDepth)
  }
}

/// Copies a frame's planes for a masker, so that it may keep them.
private final class OwnMask: OutsideMask {
  private let masker: any Masker
  private let needsDepth: Bool
  let size: PictureSize
  private var colors: FrameBufferPool?
  private var depths: FrameBufferPool?
  private var depth: Image?

  init(_ masker: any Masker, needsDepth: Bool) {
    (self.masker, self.needsDepth) = (masker, needsDepth)
    size = PictureSize(masker.width, masker.height)
  }

  func update(
    _ input: MaskInput, into mask: UnsafeMutableBufferPointer<UInt8>
  ) throws(InsideError) -> MaskUpdate {
    let picture = input.picture
    let color = try Self.image(.rgb24, picture.width, picture.height, picture.bytes, &colors)
    var isNew = false
    if needsDepth, let prepared = input.depthDue(hasMask: depth != nil) {
      let plane = prepared.millimeters
      depth = try Self.image(.depthMillimeters16, plane.width, plane.height, plane.bytes, &depths)
      isNew = true
    }
    let given = StageInput(
      frame: input.frames.index, presentationNanoseconds: input.frames.color.timestamps.presentation.nanoseconds,
      color: color, depth: depth, depthIsNew: isNew, faces: input.frames.faces.map { Face($0) })
    switch try outside({ try masker.mask(given, into: mask) }) {
    case .new: return .new
    case .unchanged: return .held
    case .missing: return .missing
    }
  }

  private static func image(
    _ format: FrameModel.PixelFormat, _ width: Int, _ height: Int, _ bytes: UnsafeRawBufferPointer,
    _ pool: inout FrameBufferPool?
  ) throws(InsideError) -> Image {
    let layout = try FrameLayout(format, width: width, height: height)
    let pooled = pool ?? FrameBufferPool(bufferByteCount: layout.byteCount, limit: 4)
    pool = pooled
    // A masker that keeps many frames gets memory of its own.
    let buffer = pooled.take() ?? FrameBuffer(byteCount: layout.byteCount)
    buffer.mutableBytes.copyMemory(from: bytes)
    return Image(layout, buffer, byteCount: layout.byteCount)
  }
}
