/// Learns the depth of an empty scene from at most 32 frames. Memory use is fixed from the start.
package final class PlateLearning {
  private static let mostSamples = 32
  /// Depth maps for which 32 samples per pixel take more keep fewer.
  private static let mostByteCount = 1 << 27

  package let frameCount: Int
  package let width: Int
  package let height: Int
  /// Sorted; the first `counts` of each pixel are used.
  private let samples: PixelPlane<UInt16>
  private let counts: PixelPlane<UInt8>
  package private(set) var framesSeen = 0

  /// - Parameter frameCount: at least 1; of more frames than fit, evenly spaced ones are kept.
  package init(frameCount: Int, width: Int, height: Int) {
    precondition(frameCount > 0 && width > 0 && height > 0)
    self.frameCount = frameCount
    self.width = width
    self.height = height
    let capacity = min(frameCount, Self.mostSamples, max(1, Self.mostByteCount / (2 * width * height)))
    samples = PixelPlane(width: width, height: height, channels: capacity)
    counts = PixelPlane(width: width, height: height)
  }

  private var capacity: Int { samples.channels }

  package var isComplete: Bool { framesSeen >= frameCount }

  /// Adds a frame without a person, in millimetres, 0 = hole. No-op once complete.
  package func add(_ depth: PixelPlane<UInt16>, bands: BandRunner) {
    guard !isComplete else { return }
    framesSeen += 1
    let isPicked = framesSeen * capacity / frameCount > (framesSeen - 1) * capacity / frameCount
    guard isPicked else { return }
    let width = width
    bands.run(rowCount: height) { rows in
      insert(depth.samples, pixels: rows.lowerBound * width..<rows.upperBound * width)
    }
  }

  private func insert(_ depth: UnsafePointer<UInt16>, pixels: Range<Int>) {
    let (samples, counts, capacity) = (samples.samples, counts.samples, capacity)
    for i in pixels where depth[i] != 0 {
      let (list, value) = (samples + i * capacity, depth[i])
      var place = Int(counts[i])
      while place > 0 && list[place - 1] > value {
        list[place] = list[place - 1]
        place -= 1
      }
      list[place] = value
      counts[i] += 1
    }
  }

  /// Share of the pixels whose depth changed while the scene was learned, 0 to 1. In an empty scene it is
  /// below 0.005; people who move change 0.07 and more. An eighth of each pixel's measurements is ignored
  /// at both ends, and changes up to 150 mm plus 3 σ of the sensor's noise are none.
  package var changedShare: Double {
    var changed = 0
    for i in 0..<width * height {
      let (list, count) = (samples.samples + i * capacity, Int(counts.samples[i]))
      guard count >= Self.leastForChange else { continue }
      let (nearest, farthest) = (list[count / 8], list[count - 1 - count / 8])
      if Int(farthest - nearest) > Self.changeMillimeters + Int(BackgroundPlate.noise[Int(nearest)]) { changed += 1 }
    }
    return Double(changed) / Double(width * height)
  }

  private static let (leastForChange, changeMillimeters) = (4, 150)

  /// Writes the whole plate, which must have the same size.
  /// - Parameter outliers: share of a pixel's measurements, the nearest, that its spread ignores: a
  ///   single flying pixel would blind this position forever. 0 to 0.5.
  package func finish(_ plate: BackgroundPlate, outliers: Double = 1.0 / 16) {
    let (distances, spreads) = (plate.millimeters.samples, plate.spread.samples)
    for i in 0..<width * height {
      let (list, count) = (samples.samples + i * capacity, Int(counts.samples[i]))
      distances[i] = count == 0 ? 0 : list[(count - 1) / 2]
      // At most the median, so that the spread is never negative.
      let ignored = min(Int(Double(count) * outliers), max(0, count - 1) / 2)
      spreads[i] = count == 0 ? 0 : distances[i] - list[ignored]
    }
  }
}
