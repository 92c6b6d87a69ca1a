package struct PlaneDifference: Hashable, Sendable {
  package struct Box: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// The largest difference of two samples, in the planes' unit.
  package let maximum: Int
  /// The first pixel with the maximum, from the top left, and its samples in both planes.
  package let maximumX: Int
  package let maximumY: Int
  package let maximumA: [UInt16]
  package let maximumB: [UInt16]
  /// Mean over all samples, equal ones included, in thousandths of the unit, rounded half up.
  package let meanThousandths: Int
  /// Pixels with any differing sample.
  package let differingCount: Int
  package let pixelCount: Int
  package let box: Box?

  package init?(_ a: StagePlane, _ b: StagePlane) {
    guard (a.width, a.height, a.channels) == (b.width, b.height, b.channels) else { return nil }
    var (largest, largestPixel, sum, count) = (0, 0, 0, 0)
    var (left, right, top, bottom) = (a.width, -1, a.height, -1)
    for pixel in 0..<a.width * a.height {
      var largestHere = 0
      for sample in pixel * a.channels..<(pixel + 1) * a.channels {
        let difference = abs(Int(a.samples[sample]) - Int(b.samples[sample]))
        sum += difference
        largestHere = max(largestHere, difference)
      }
      guard largestHere > 0 else { continue }
      count += 1
      let (y, x) = pixel.quotientAndRemainder(dividingBy: a.width)
      (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
      if largestHere > largest { (largest, largestPixel) = (largestHere, pixel) }
    }
    maximum = largest
    (maximumY, maximumX) = largestPixel.quotientAndRemainder(dividingBy: a.width)
    maximumA = Array(a.samples[largestPixel * a.channels..<(largestPixel + 1) * a.channels])
    maximumB = Array(b.samples[largestPixel * a.channels..<(largestPixel + 1) * a.channels])
    meanThousandths = (sum * 2000 + a.samples.count) / (2 * a.samples.count)
    differingCount = count
    pixelCount = a.width * a.height
    box = count == 0 ? nil : Box(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
