import FrameModel
import Kernels
import Parameters

/// Brings depth frames of any format to what masks are made of: millimetres, seen from the colour camera where the
/// pipeline's format says so.
final class DepthStage {
  /// Holds until the next frame.
  let output: PreparedDepth
  private let layout: FrameLayout
  private let converter: DepthConverter

  /// - Parameter extras: what is wanted beside millimetres.
  init(
    _ format: DepthFormat, video: FrameLayout, _ parameters: ParameterSet, extras: DepthExtras = [], threadCount: Int,
    processor: Processor
  ) {
    layout = format.layout
    converter = format.converter
    output = PreparedDepth(
      PlaneGeometry(
        depthWidth: layout.width, depthHeight: layout.height, videoWidth: video.width, videoHeight: video.height),
      hasDisparity: extras.contains(.disparity) && layout.format == .disparityFloat32)
  }

  /// - Parameter next: the depth frame that follows, where look-ahead has it.
  /// - Throws: `.corrupt` for a frame that is not whole.
  func prepare(_ frame: Frame, next: Frame?, bands: BandRunner) throws(RetakeError) {
    let bytes = frame.bytes
    guard frame.layout == layout, bytes.count == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is not whole, or of another format than its stream.")
    }
    converter.convert(bytes, to: output.millimeters.samples, bands: bands)
    if let disparity = output.disparity {
      DepthUnits.clamp(
        disparity: bytes.bindMemory(to: Float.self).baseAddress!, to: disparity.samples, count: disparity.count)
    }
  }
}
