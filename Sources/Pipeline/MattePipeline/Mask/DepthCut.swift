import Kernels
import Parameters

/// Pixels at or nearer than a distance are the person; `mask.holes` decides about holes.
struct DepthCut {
  private let holes: HoleRule
  private let processor: Processor

  init(_ parameters: ParameterSet, processor: Processor) {
    holes = parameters[PipelineParameters.mask.holes]
    self.processor = processor
  }

  /// One distance for all pixels; 0 makes no measured pixel the person.
  func cut(_ depth: PreparedDepth, at millimeters: UInt16, into mask: PixelPlane<UInt8>, bands: BandRunner) {
    run(depth, mask, bands) { distances, out, count, _ in
      if holes == .foreground {
        MaskThreshold.upTo(millimeters, depth: distances, mask: out, count: count, processor: processor)
      } else {
        MaskThreshold.nearerThan(millimeters, depth: distances, mask: out, count: count, processor: processor)
      }
    }
  }

  /// - Parameter limits: a distance for each pixel.
  func cut(_ depth: PreparedDepth, at limits: PixelPlane<UInt16>, into mask: PixelPlane<UInt8>, bands: BandRunner) {
    run(depth, mask, bands) { distances, out, count, start in
      MaskThreshold.nearerThanEach(
        limits.samples + start, depth: distances, hole: holes == .foreground ? 255 : 0, mask: out, count: count,
        processor: processor)
    }
  }

  private func run(
    _ depth: PreparedDepth, _ mask: PixelPlane<UInt8>, _ bands: BandRunner,
    _ body: (UnsafePointer<UInt16>, UnsafeMutablePointer<UInt8>, _ count: Int, _ start: Int) -> Void
  ) {
    bands.run(rowCount: mask.height) { rows in
      let (start, count) = (rows.lowerBound * mask.width, rows.count * mask.width)
      body(depth.millimeters.samples + start, mask.samples + start, count, start)
      if holes == .near, let kinds = depth.holes {
        MaskThreshold.add(
          kind: DepthHole.tooNear.rawValue, of: kinds.samples + start, to: mask.samples + start, count: count,
          processor: processor)
      }
    }
  }
}
