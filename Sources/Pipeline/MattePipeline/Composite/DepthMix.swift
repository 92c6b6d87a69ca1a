import Kernels
import Parameters

/// Mixes depth, as grey, into the whole picture (E.23, E.24): `composite.mix`.
final class DepthMix {
  /// The depth range since the start; kept across changes of parameters.
  var range = DepthGrey()
  private let share: Double
  private let processor: Processor
  private let canvas: Canvas

  /// Scales a depth map to a grey picture of the video's size.
  private final class Canvas {
    let samples: MatteSamples
    let grey: PixelPlane<UInt8>
    let scaling: MatteScaling

    init(_ geometry: PlaneGeometry, threadCount: Int, processor: Processor) {
      samples = MatteSamples(width: geometry.width, height: geometry.height)
      samples.markMixed()
      grey = PixelPlane(width: geometry.videoWidth, height: geometry.videoHeight)
      let (horizontal, vertical) = geometry.lines
      scaling = MatteScaling(
        horizontal: ScaleTable(.bilinear, horizontal), vertical: ScaleTable(.bilinear, vertical),
        threadCount: threadCount, processor: processor)
    }
  }

  init?(_ parameters: ParameterSet, depth: PlaneGeometry?, threadCount: Int, processor: Processor) {
    share = parameters[PipelineParameters.composite.mix]
    guard share > 0, let depth else { return nil }
    self.processor = processor
    canvas = Canvas(depth, threadCount: threadCount, processor: processor)
  }

  /// Widens the range, also for frames that are not shown.
  func notice(_ depth: PreparedDepth?) {
    guard let depth else { return }
    range.measure(depth.millimeters.samples, count: depth.millimeters.count, processor: processor)
  }

  /// - Parameter composite: packed RGB at the video's size.
  func apply(_ depth: PreparedDepth, to composite: PixelPlane<UInt8>, bands: BandRunner) {
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
}
