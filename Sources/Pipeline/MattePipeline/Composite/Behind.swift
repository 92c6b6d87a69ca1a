import FrameModel
import Kernels
import Parameters
import Support

/// Draws what is behind the person, by `composite.kind`.
final class Behind {
  enum Answer {
    /// Packed RGB at the video's size.
    case picture(PixelPlane<UInt8>)
    /// The video is shown as it is, or blurred.
    case video
    /// None yet, for example before the first face.
    case missing
  }

  private let kind: CompositeKind
  private let background: FittedBackground
  private let showsVideo: Bool
  private var faceColor = FaceColor()
  private let comic: Comic?
  /// Holds the face's colour, or the comic.
  private let plane: PixelPlane<UInt8>

  init(
    _ kind: CompositeKind, _ format: PipelineFormat, _ parameters: ParameterSet, background: (any BackgroundSource)?,
    threadCount: Int, processor: Processor
  ) {
    let (width, height) = (format.color.width, format.color.height)
    self.kind = kind
    self.background = FittedBackground(
      background, width: width, height: height, parameters, threadCount: threadCount, processor: processor)
    showsVideo = background == nil && parameters[PipelineParameters.composite.withoutBackground] == .video
    comic =
      kind == .comic
      ? Comic(width: width, height: height, threadCount: threadCount, processor: processor) : nil
    let ownsPlane = kind == .comic || kind == .faceColor
    plane = PixelPlane(width: ownsPlane ? width : 1, height: ownsPlane ? height : 1, channels: 3)
  }

  /// Updates the face's colour, also from frames that are not shown.
  func notice(_ frames: FrameSet) {
    guard kind == .faceColor, faceColor.update(frames.faces), let color = faceColor.color else { return }
    plane.fill(color)
  }

  /// - Parameters:
  ///   - picture: the filtered video.
  ///   - matte: pixels where it is 255 need not be drawn.
  func draw(
    _ frames: FrameSet, picture: PixelPlane<UInt8>, matte: PixelPlane<UInt8>?, bands: BandRunner
  ) throws(RetakeError) -> Answer {
    switch kind {
    case .backdrop:
      if showsVideo { return .video }
      return .picture(try background.picture(at: frames.color.timestamps.presentation, bands: bands))
    case .faceColor:
      return faceColor.color == nil ? .missing : .picture(plane)
    case .comic:
      guard let matte else { return .missing }
      comic?.apply(picture.samples, matte: matte.samples, to: plane.samples, bands: bands)
      return .picture(plane)
    case .blur, .filter:
      return .video
    }
  }

  func carryOn(from old: Behind) {
    background.carryOn(from: old.background)
    faceColor = old.faceColor
    if kind == .faceColor, let color = faceColor.color { plane.fill(color) }
  }
}
