import FrameModel
import Kernels
import Parameters
import Support

/// The background at the video's size, by `composite.background` and `composite.fit`, with
/// `composite.color` for the rest. Each picture is fitted once.
final class FittedBackground {
  private var plane: PixelPlane<UInt8>
  private let source: (any BackgroundSource)?
  private let fit: PictureFit
  private let color: RGBColor
  private let threadCount: Int
  private let processor: Processor
  private var scaler: PreparedPictureScaler?
  /// The number of the source's picture in `plane`.
  private var fittedNumber: Int?

  init(
    _ source: (any BackgroundSource)?, width: Int, height: Int, _ parameters: ParameterSet, threadCount: Int,
    processor: Processor
  ) {
    self.source = source
    fit = parameters[PipelineParameters.composite.fit]
    color = parameters[PipelineParameters.composite.color]
    self.threadCount = threadCount
    self.processor = processor
    plane = PixelPlane(width: width, height: height, channels: 3)
    plane.fill(color)
    if let size = source?.size { prepare(size) }
  }

  private func prepare(_ size: (width: Int, height: Int)) {
    guard size.width > 0, size.height > 0 else { return }
    scaler = PreparedPictureScaler(
      from: size, to: (plane.width, plane.height), fit, threadCount: threadCount, processor: processor)
  }

  /// - Returns: a plane that is valid until the next call.
  func picture(at moment: PresentationTime, bands: BandRunner) throws(RetakeError) -> PixelPlane<UInt8> {
    if let picture = try source?.picture(at: moment), picture.number != fittedNumber {
      fit(picture.plane, bands: bands)
      fittedNumber = picture.number
    }
    return plane
  }

  private func fit(_ next: PixelPlane<UInt8>, bands: BandRunner) {
    if scaler == nil || scaler!.sourceWidth != next.width || scaler!.sourceHeight != next.height {
      // Another size: clear what only the last picture covered.
      prepare((next.width, next.height))
      plane.fill(color)
    }
    scaler?.apply(next.samples, to: plane.samples, bands: bands)
  }

  /// Avoids fitting the same picture again in the same way.
  func carryOn(from old: FittedBackground) {
    guard let source, let oldSource = old.source, source === oldSource, old.fit == fit, old.color == color,
      old.plane.width == plane.width, old.plane.height == plane.height
    else { return }
    (plane, scaler, fittedNumber) = (old.plane, old.scaler, old.fittedNumber)
  }
}

extension PixelPlane<UInt8> {
  func fill(_ color: RGBColor) {
    for i in 0..<width * height {
      samples[3 * i] = color.red
      samples[3 * i + 1] = color.green
      samples[3 * i + 2] = color.blue
    }
  }
}
