import Kernels
import Parameters

/// Depth in grey, mixed over everything (seed system E.23 and E.24): `composite.mix`.
final class DepthMix {
  var range = DepthGrey()
  private let share: Double
  private let threadCount: Int
  private let processor: Processor
  /// Made for the first depth map, and again only should its shape change.
  private var canvas: Canvas?

  private final class Canvas {
    let geometry: PlaneGeometry
    let samples: MatteSamples
    let grey: PixelPlane<UInt8>
    let scaling: MatteScaling

    init(_ geometry: PlaneGeometry, threadCount: Int, processor: Processor) {
      self.geometry = geometry
      samples = MatteSamples(width: geometry.width, height: geometry.height)
      samples.markMixed()
      grey = PixelPlane(width: geometry.videoWidth, height: geometry.videoHeight)
      scaling = MatteScaling(
        horizontal: ScaleTable(linearFrom: geometry.width, to: geometry.videoWidth) {
          geometry.point(videoX: Double($0) + 0.5, videoY: 0).x - 0.5
        },
        vertical: ScaleTable(linearFrom: geometry.height, to: geometry.videoHeight) {
          geometry.point(videoX: 0, videoY: Double($0) + 0.5).y - 0.5
        }, threadCount: threadCount, processor: processor)
    }
  }

  /// Nil where none is mixed.
  init?(_ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    share = parameters[PipelineParameters.mix]
    guard share > 0 else { return nil }
    self.threadCount = threadCount
    self.processor = processor
  }

  /// Widens the range of grey, whether the frame is shown or not.
  func notice(_ depth: PreparedDepth?) {
    guard let depth else { return }
    range.measure(depth.millimeters.samples, count: depth.millimeters.count, processor: processor)
  }

  /// - Parameter composite: packed RGB at the video's size.
  func apply(_ depth: PreparedDepth, to composite: PixelPlane<UInt8>, bands: BandRunner) {
    if canvas == nil || canvas!.geometry != depth.geometry {
      canvas = Canvas(depth.geometry, threadCount: threadCount, processor: processor)
    }
    guard let canvas else { return }
    let (range, share, processor, millimeters) = (range, share, processor, depth.millimeters)
    bands.run(rowCount: millimeters.height) { rows in
      range.apply(millimeters.samples, to: canvas.samples, rows: rows, processor: processor)
    }
    bands.run(rowCount: composite.height) { rows, thread in
      canvas.scaling.apply(canvas.samples, to: canvas.grey.samples, rows: rows, thread: thread)
      PixelColors.mixGrey(
        canvas.grey.row(rows.lowerBound), share: share, into: composite.row(rows.lowerBound),
        count: rows.count * composite.width, processor: processor)
    }
  }

  func carryOn(from old: DepthMix) {
    range = old.range
    if let oldCanvas = old.canvas, old.threadCount == threadCount { canvas = oldCanvas }
  }
}
