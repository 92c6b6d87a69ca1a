import FrameModel
import Kernels
import Parameters

/// What a composite is made of.
struct CompositeInput {
  let frames: FrameSet
  /// The video frame as RGB.
  let picture: PixelPlane<UInt8>
  /// Nil where none is made, or where the frame has none.
  let matte: PixelPlane<UInt8>?
  /// The depth in force; nil where there was none yet, or where none is needed.
  let depth: PreparedDepth?
}

/// Makes the picture that the user sees.
final class CompositeStage {
  private let processor: Processor
  private let background: PixelPlane<UInt8>
  private let source: (any BackgroundSource)?

  init(
    _ format: PipelineFormat, _ parameters: ParameterSet, background: (any BackgroundSource)?, threadCount: Int,
    processor: Processor
  ) {
    self.processor = processor
    source = background
    self.background = PixelPlane(width: format.color.width, height: format.color.height, channels: 3)
  }

  /// - Parameter composite: packed RGB at the video's size.
  /// - Returns: false for a frame that is left out.
  func compose(_ input: CompositeInput, to composite: PixelPlane<UInt8>, bands: BandRunner) throws(RetakeError) -> Bool
  {
    guard let matte = input.matte else { return false }
    if let picture = try source?.picture(at: input.frames.color.timestamps.presentation) {
      let scaled = PictureScaler.fill(picture, width: background.width, height: background.height)
      background.samples.update(from: scaled.pixels, count: scaled.pixels.count)
    }
    let (original, background) = (input.picture, background)
    bands.run(rowCount: composite.height) { rows in
      Blend.rgb(
        foreground: original.row(rows.lowerBound), background: background.row(rows.lowerBound),
        matte: matte.row(rows.lowerBound), to: composite.row(rows.lowerBound),
        count: rows.count * composite.width, processor: processor)
    }
    return true
  }
}
