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
  /// ends, and changes up to 150 mm plus 3 σ of the sensor's noise are none. Nor are those that fill no square of 3 by
  /// 3 pixels: along the outlines of things depth jumps between near and far, which is more of a smaller picture.
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
    let changed = PixelPlane<UInt8>(width: width, height: height)
    bands.run(rowCount: height) { rows in
      rtk_sort_samples(
        processor.choice, samples.samples, width * height, Int32(pickedCount), rows.lowerBound * width,
        rows.count * width)
      for y in rows { finish(row: y, plate, ignored, into: changed.row(y)) }
    }
    changedShare = Double(Self.countInSquares(changed)) / Double(width * height)
  }

  /// How many of the pixels that are not 0 lie in a square of 3 by 3 of them.
  private static func countInSquares(_ changed: PixelPlane<UInt8>) -> Int {
    let counted = PixelPlane<UInt8>(width: changed.width, height: changed.height)
    for y in 0..<max(0, changed.height - 2) {
      for x in 0..<max(0, changed.width - 2) where (0..<9).allSatisfy({ changed.row(y + $0 / 3)[x + $0 % 3] != 0 }) {
        for i in 0..<9 { counted.row(y + i / 3)[x + i % 3] = 1 }
      }
    }
    return (0..<changed.height).reduce(0) { sum, y in (0..<changed.width).reduce(sum) { $0 + Int(counted.row(y)[$1]) } }
  }

  /// - Parameter changed: gets 1 for each pixel that changed, else 0.
  private func finish(
    row: Int, _ plate: BackgroundPlate, _ ignored: [Int], into changed: UnsafeMutablePointer<UInt8>
  ) {
    let (distances, spreads) = (plate.millimeters.samples, plate.spread.samples)
    for i in row * width..<(row + 1) * width {
      var holes = 0
      while holes < pickedCount && plane(holes)[i] == 0 { holes += 1 }
      let count = pickedCount - holes
      func measured(_ rank: Int) -> UInt16 { plane(holes + rank)[i] }
      distances[i] = count == 0 ? 0 : measured((count - 1) / 2)
      spreads[i] = count == 0 ? 0 : distances[i] - measured(ignored[count])
      changed[i - row * width] = 0
      guard count >= Self.leastForChange else { continue }
      let (nearest, farthest) = (measured(count / 8), measured(count - 1 - count / 8))
      let noise = Self.changeMillimeters + Int(BackgroundPlate.noise[Int(nearest)])
      changed[i - row * width] = Int(farthest - nearest) > noise ? 1 : 0
    }
  }
}
