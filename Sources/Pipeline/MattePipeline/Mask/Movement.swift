import Kernels
import Parameters

/// What has moved before a camera that stands still: `mask.movement`.
final class Movement {
  /// A person that moves ends this far behind the farthest bin that has moved.
  private static let (binMillimeters, behindMillimeters) = (50, 50)
  /// Specks and the outlines of furniture, where a sensor flickers, are narrower than twice this.
  private static let speckRadius = 2
  /// Who comes, comes from the left or right, within this share of the width.
  private static let sideShare = 16
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
  private var movedCount = 0
  /// Just behind what has moved, in millimetres; 0 if that has left, nil if nothing large ever moved.
  private(set) var distanceBehind: UInt16?
  /// Whether somebody is known to have come, rather than to have moved a hand.
  private var hasCome = false

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
    let isBegin = (distanceBehind ?? 0) == 0
    if !goesOn { hasCome = false }
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
    movedCount = seen.nearerCount
    if isBegin && !hasCome { hasCome = touchesSide }
    distanceBehind = UInt16(clamping: (bin + 1) * Self.binMillimeters + Self.behindMillimeters)
  }

  private var touchesSide: Bool {
    let margin = max(1, large.width / Self.sideShare)
    return (0..<large.height).contains { y in
      let row = large.row(y)
      return (0..<margin).contains { row[$0] != 0 || row[large.width - 1 - $0] != 0 }
    }
  }

  /// Whether what moves, or has left, is somebody besides the nearest large thing. It is part of that, as a hand of somebody
  /// who sits there is, if it neither came from a side nor is farther, nor most of it.
  /// - Parameter nearest: nil if there is none, or it does not count.
  func isSomebody(besides nearest: NearestSurface.Surface?) -> Bool {
    guard let behind = distanceBehind else { return false }
    guard let nearest, !hasCome else { return true }
    guard behind > 0 else { return false }
    // What is most of the picture is the room.
    hasCome =
      behind > nearest.distance || 2 * nearest.count > nearest.measuredCount || 2 * movedCount > nearest.count
    return hasCome
  }

  /// Forgets what was seen.
  func restart() {
    seen.forget()
    (distanceBehind, hasCome) = (nil, false)
  }

  /// After a change of parameters: goes on with what was seen, if it has the same size.
  func carriedOn(from old: Movement) -> Movement {
    old.inner.width == inner.width && old.inner.height == inner.height && old.least == least ? old : self
  }
}
