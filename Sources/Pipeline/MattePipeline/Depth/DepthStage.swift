import FrameModel
import Kernels
import Parameters
import Support

/// Turns depth frames into the depth that masks are made of: millimetres, registered to colour if
/// the pipeline's format says so, and filtered.
///
/// A frame is measured (converted, registered, moved, decimated, smoothed along surfaces), then combined
/// with its neighbours in time; last, its holes are filled.
package final class DepthStage {
  /// Valid until the next frame.
  package let output: PreparedDepth
  private let layout: FrameLayout
  private let filters: DepthFilters
  private let shift: DepthShift
  private let measurement: DepthMeasurement
  private var interpolation: DepthNeighbors?
  private var following: DepthFollowing?
  private let judge: DepthHoleJudge?
  private let fill: DepthFill?
  /// Millimetres before holes are filled; the output's own plane if they are not.
  private let settled: PixelPlane<UInt16>
  /// The previous stage's `settled`, if a change of parameters left it valid.
  private var settledBefore: PixelPlane<UInt16>?

  /// - Parameter extras: outputs besides millimetres.
  package init(
    _ format: DepthFormat, video: FrameLayout, _ parameters: ParameterSet, extras: DepthExtras = [], threadCount: Int,
    processor: Processor
  ) {
    layout = format.layout
    let filters = DepthFilters(parameters, depthWidth: format.layout.width)
    self.filters = filters
    shift = format.shift + filters.shift
    let geometry = Self.geometry(format, video: video, parameters)
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
    settled = fill == nil ? output.millimeters : PixelPlane(width: geometry.width, height: geometry.height)
  }

  static func geometry(_ format: DepthFormat, video: FrameLayout, _ parameters: ParameterSet) -> PlaneGeometry {
    PlaneGeometry(
      depthWidth: format.layout.width, depthHeight: format.layout.height, videoWidth: video.width,
      videoHeight: video.height, by: parameters[PipelineParameters.depth.scaleBy],
      decimation: DepthFilters.decimation(parameters, depthWidth: format.layout.width))
  }

  /// After a change of parameters: takes over the temporal state if the filters are the same. Other
  /// filters would continue from values that they would never have produced.
  func carryOn(from old: DepthStage) {
    guard old.filters.lasting == filters.lasting else { return }
    (interpolation, following, settledBefore) = (old.interpolation, old.following, old.settledBefore ?? old.settled)
  }

  func restart() -> Bool {
    settledBefore = nil
    following?.restart()
    return interpolation == nil
  }

  /// - Parameter next: the following depth frame, if look-ahead has it.
  /// - Throws: `.corrupt` for a frame that is not whole.
  package func prepare(_ frame: Frame, next: Frame?, bands: BandRunner) throws(RetakeError) {
    try frame.check(layout, "Depth")
    // A damaged frame is reported when it becomes the current one.
    let next = next.flatMap { $0.isWhole(layout) ? $0 : nil }
    let plane = settled
    settledBefore = nil
    if let interpolation {
      interpolation.take(frame, next: next) { measurement.measure($0, to: $1, bands: bands) }
      judgeHoles(interpolation.current, bands)
      interpolation.interpolate(to: plane, bands: bands)
    } else {
      measurement.measure(frame, to: plane, bands: bands)
      judgeHoles(plane, bands)
    }
    if let following { bands.run(rowCount: plane.height) { following.apply(plane.samples, rows: $0) } }
    finish(frame, bands)
  }

  /// Prepares the previous stage's last frame again. Temporal filters include it already.
  /// - Throws: as `prepare`.
  func renew(_ frame: Frame, next: Frame?, bands: BandRunner) throws(RetakeError) {
    guard let before = settledBefore, frame.isWhole(layout) else { return try prepare(frame, next: next, bands: bands) }
    settledBefore = nil
    if let interpolation {
      judgeHoles(interpolation.current, bands)
    } else if judge != nil {
      measurement.measure(frame, to: settled, bands: bands)
      judgeHoles(settled, bands)
    }
    settled.samples.update(from: before.samples, count: settled.count)
    finish(frame, bands)
  }

  private func finish(_ frame: Frame, _ bands: BandRunner) {
    if let fill {
      output.millimeters.samples.update(from: settled.samples, count: settled.count)
      fill.apply(output.millimeters.samples, bands: bands)
    }
    if let disparity = output.disparity {
      DepthUnits.clamp(
        disparity: frame.bytes.bindMemory(to: Float.self).baseAddress!, to: disparity.samples, count: disparity.count)
      shift.apply(to: disparity, uncovered: .max)
    }
  }

  private func judgeHoles(_ measured: PixelPlane<UInt16>, _ bands: BandRunner) {
    guard let judge, let holes = output.holes else { return }
    bands.run(rowCount: holes.height) { judge.judge(measured.samples, to: holes.samples, rows: $0) }
  }
}
