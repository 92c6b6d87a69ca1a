import Kernels
import Parameters

/// What has moved before a camera that stands still: `mask.movement`.
final class Movement {
  /// A person that moves ends this far behind the farthest bin that has moved.
  private static let (binMillimeters, behindMillimeters) = (50, 50)
  /// Specks and the outlines of furniture, where a sensor flickers, are narrower than twice this.
  private static let speckRadius = 2
  /// What is near something wider belongs to it.
  private static let nearRadius = 6

  private let seen: SeenDepth
  private let erosion: MaskMorphology
  private let dilation: MaskMorphology
  /// Of what has moved, without its outline and specks.
  private let inner: PixelPlane<UInt8>
  private let large: PixelPlane<UInt8>
  private let histogram: PixelPlane<Int32>
  private let least: Int
  /// Just behind what has moved, in millimetres; 0 if that has left, nil if nothing large ever moved.
  private(set) var distanceBehind: UInt16?

  /// - Returns: nil if the parameters do not ask for it.
  init?(_ geometry: PlaneGeometry, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    guard parameters[PipelineParameters.mask.movement] else { return nil }
    let (width, height) = (geometry.width, geometry.height)
    seen = SeenDepth(width: width, height: height, processor: processor)
    erosion = MaskMorphology(
      .smallest, of: .twoValues, radius: Self.speckRadius, width: width, height: height, threadCount: threadCount,
      processor: processor)
    dilation = MaskMorphology(
      .largest, of: .twoValues, radius: Self.nearRadius, width: width, height: height, threadCount: threadCount,
      processor: processor)
    inner = PixelPlane(width: width, height: height)
    large = PixelPlane(width: width, height: height)
    histogram = PixelPlane(width: 65_536 / Self.binMillimeters + 1, height: 1)
    least = max(1, Int(parameters[PipelineParameters.mask.smallestPiece] * Double(width * height)))
  }

  /// 255 where something large has moved; nil if nothing has.
  var moved: PixelPlane<UInt8>? { (distanceBehind ?? 0) > 0 ? large : nil }

  /// Adds the next depth map.
  func add(_ depth: PixelPlane<UInt16>, bands: BandRunner) {
    let goesOn = seen.add(depth, bands: bands)
    distanceBehind = goesOn && distanceBehind != nil ? 0 : nil
    guard seen.nearerCount >= least else { return }
    bands.run(rowCount: inner.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      erosion.apply(seen.isNearer.samples, to: inner.samples, rows: rows, thread: thread)
    }
    histogram.fill(0)
    let (bins, millimeters, inside) = (histogram.samples, depth.samples, inner.samples)
    var count = 0
    for i in 0..<inner.count where inside[i] != 0 {
      bins[Int(millimeters[i]) / Self.binMillimeters] += 1
      count += 1
    }
    guard count >= least else { return }
    // One in a hundred pixels may be an error of the sensor.
    var (bin, passed) = (0, Int(bins[0]))
    while passed * 100 < count * 99 {
      bin += 1
      passed += Int(bins[bin])
    }
    bands.run(rowCount: large.height, partsPerThread: BandRunner.finePartsPerThread) { rows, thread in
      dilation.apply(inner.samples, to: large.samples, rows: rows, thread: thread)
      let pixels = rows.lowerBound * large.width..<rows.upperBound * large.width
      for i in pixels { large.samples[i] &= seen.isNearer.samples[i] }
    }
    distanceBehind = UInt16(clamping: (bin + 1) * Self.binMillimeters + Self.behindMillimeters)
  }

  /// Forgets what was seen.
  func restart() {
    seen.forget()
    distanceBehind = nil
  }

  /// After a change of parameters: goes on with what was seen, if it has the same size.
  func carriedOn(from old: Movement) -> Movement {
    old.inner.width == inner.width && old.inner.height == inner.height && old.least == least ? old : self
  }
}
