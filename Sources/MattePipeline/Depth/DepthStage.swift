import FrameModel
import Kernels
import Parameters

/// Brings depth frames of any format to what masks are made of: millimetres, seen from the colour camera where the
/// pipeline's format says so, filtered as the parameters say.
///
/// A frame is measured (converted, laid over colour, decimated, smoothed along its surfaces), then brought together with
/// those before and after it, and last its holes are filled.
final class DepthStage {
  /// Holds until the next frame.
  let output: PreparedDepth
  private let layout: FrameLayout
  private let filters: DepthFilters
  private let measurement: DepthMeasurement
  private let interpolation: DepthNeighbors?
  private let following: DepthFollowing?
  private let judge: DepthHoleJudge?
  private let fill: DepthFill?

  /// - Parameter extras: what is wanted beside millimetres.
  init(
    _ format: DepthFormat, video: FrameLayout, _ parameters: ParameterSet, extras: DepthExtras = [], threadCount: Int,
    processor: Processor
  ) {
    layout = format.layout
    let filters = DepthFilters(parameters)
    self.filters = filters
    let geometry = PlaneGeometry(
      depthWidth: layout.width, depthHeight: layout.height, videoWidth: video.width, videoHeight: video.height,
      by: PlaneGeometry.ScaleRule(parameters), decimation: filters.decimation)
    output = PreparedDepth(
      geometry,
      hasDisparity: extras.contains(.disparity) && layout.format == .disparityFloat32 && filters.isNone
        && !format.converter.isRegistered,
      hasHoles: extras.contains(.holes))
    measurement = DepthMeasurement(format, filters, threadCount: threadCount, processor: processor)
    interpolation =
      filters.temporal == .interpolate
      ? DepthNeighbors(geometry, deltaMillimeters: filters.temporalDelta, processor: processor) : nil
    following =
      filters.follows
      ? DepthFollowing(
        width: geometry.width, height: geometry.height, alpha: filters.temporal == .smooth ? filters.temporalAlpha : 1,
        deltaMillimeters: filters.temporalDelta, persistence: filters.persistence, processor: processor) : nil
    judge = output.holes.map {
      DepthHoleJudge(width: $0.width, height: $0.height, shadowSide: format.converter.shadowSide)
    }
    fill = filters.fillsHoles ? DepthFill(width: geometry.width, height: geometry.height, processor: processor) : nil
  }

  /// - Parameter next: the depth frame that follows, where look-ahead has it.
  /// - Throws: `.corrupt` for a frame that is not whole.
  func prepare(_ frame: Frame, next: Frame?, bands: BandRunner) throws(RetakeError) {
    guard isWhole(frame) else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is not whole, or of another format than its stream.")
    }
    // One that is not is told when its time comes.
    let next = next.flatMap { isWhole($0) ? $0 : nil }
    let plane = output.millimeters
    if let interpolation {
      interpolation.take(frame, next: next) { measurement.measure($0, to: $1, bands: bands) }
      judgeHoles(interpolation.current, bands)
      interpolation.interpolate(to: plane, bands: bands)
    } else {
      measurement.measure(frame, to: plane, bands: bands)
      judgeHoles(plane, bands)
    }
    if let following { bands.run(rowCount: plane.height) { following.apply(plane.samples, rows: $0) } }
    fill?.apply(plane.samples, bands: bands)
    if let disparity = output.disparity {
      DepthUnits.clamp(
        disparity: frame.bytes.bindMemory(to: Float.self).baseAddress!, to: disparity.samples, count: disparity.count)
    }
  }

  private func judgeHoles(_ measured: PixelPlane<UInt16>, _ bands: BandRunner) {
    guard let judge, let holes = output.holes else { return }
    bands.run(rowCount: holes.height) { judge.judge(measured.samples, to: holes.samples, rows: $0) }
  }

  private func isWhole(_ frame: Frame) -> Bool { frame.layout == layout && frame.byteCount == layout.byteCount }
}
