import CKernels

/// Learns the depth of an empty scene from at most 32 frames. Memory use is fixed from the start.
package final class PlateLearning {
  private static let mostSamples = Int(RTKMostSamples)
  /// Depth maps for which 32 samples per pixel take more keep fewer.
  private static let mostByteCount = 1 << 27

  package let frameCount: Int
  package let width: Int
  package let height: Int
  /// A plane for each frame that was picked; once finished, sorted for each pixel, holes first.
  private let samples: PixelPlane<UInt16>
  private let capacity: Int
  private let processor: Processor
  private var pickedCount = 0
  package private(set) var framesSeen = 0
  /// Once finished: share of the pixels whose depth changed while the scene was learned, 0 to 1. In an empty scene it
  /// is below 0.005; people who move change 0.07 and more. An eighth of each pixel's measurements is ignored at both
  /// ends, and changes up to 150 mm plus 3 σ of the sensor's noise are none.
  package private(set) var changedShare = 0.0

  /// - Parameter frameCount: at least 1; of more frames than fit, evenly spaced ones are kept.
  package init(frameCount: Int, width: Int, height: Int, processor: Processor = .best) {
    precondition(frameCount > 0 && width > 0 && height > 0)
    self.frameCount = frameCount
    self.width = width
    self.height = height
    self.processor = processor
    capacity = min(frameCount, Self.mostSamples, max(1, Self.mostByteCount / (2 * width * height)))
    samples = PixelPlane(width: width, height: height * capacity)
  }

  package var isComplete: Bool { framesSeen >= frameCount }

  private func plane(_ number: Int) -> UnsafeMutablePointer<UInt16> { samples.row(number * height) }

  /// Adds a frame without a person, in millimetres, 0 = hole. No-op once complete.
  package func add(_ depth: PixelPlane<UInt16>) {
    guard !isComplete else { return }
    framesSeen += 1
    let isPicked = framesSeen * capacity / frameCount > (framesSeen - 1) * capacity / frameCount
    guard isPicked else { return }
    plane(pickedCount).update(from: depth.samples, count: width * height)
    pickedCount += 1
  }

  private static let (leastForChange, changeMillimeters) = (4, 150)

  /// Writes the whole plate, which must have the same size.
  /// - Parameter outliers: share of a pixel's measurements, the nearest, that its spread ignores: a
  ///   single flying pixel would blind this position forever. 0 to 0.5.
  package func finish(_ plate: BackgroundPlate, outliers: Double = 1.0 / 16, bands: BandRunner) {
    // For each count of measurements, how many of them are ignored: at most the median, so that the spread is never
    // negative.
    let ignored = (0...pickedCount).map { min(Int(Double($0) * outliers), max(0, $0 - 1) / 2) }
    let changed = PixelPlane<Int32>(width: 1, height: height)
    bands.run(rowCount: height) { rows in
      rtk_sort_samples(
        processor.choice, samples.samples, width * height, Int32(pickedCount), rows.lowerBound * width,
        rows.count * width)
      for y in rows { changed.row(y)[0] = finish(row: y, plate, ignored) }
    }
    changedShare = Double((0..<height).reduce(0) { $0 + Int(changed.row($1)[0]) }) / Double(width * height)
  }

  /// - Returns: how many pixels changed.
  private func finish(row: Int, _ plate: BackgroundPlate, _ ignored: [Int]) -> Int32 {
    let (distances, spreads) = (plate.millimeters.samples, plate.spread.samples)
    var changed: Int32 = 0
    for i in row * width..<(row + 1) * width {
      var holes = 0
      while holes < pickedCount && plane(holes)[i] == 0 { holes += 1 }
      let count = pickedCount - holes
      func measured(_ rank: Int) -> UInt16 { plane(holes + rank)[i] }
      distances[i] = count == 0 ? 0 : measured((count - 1) / 2)
      spreads[i] = count == 0 ? 0 : distances[i] - measured(ignored[count])
      guard count >= Self.leastForChange else { continue }
      let (nearest, farthest) = (measured(count / 8), measured(count - 1 - count / 8))
      if Int(farthest - nearest) > Self.changeMillimeters + Int(BackgroundPlate.noise[Int(nearest)]) { changed += 1 }
    }
    return changed
  }
}
