/// Where the person ends: pixels that differ from the one right of them, below them, or right below them. What lies outside of
/// the picture is as the pixel beside it (the boundary map of DAVIS, Perazzi et al. 2016).
struct PlainContour {
  /// Places in the picture, in order.
  var pixels: [Int] = []
  let width: Int
  let height: Int

  init(pixels: [Int], width: Int, height: Int) { (self.pixels, self.width, self.height) = (pixels, width, height) }

  /// - Parameter judged: 0 for each pixel to leave out: then a contour has no pixel that it decides.
  init(_ matte: PlainPlane, judged: [UInt8]? = nil) {
    width = matte.width
    height = matte.height
    let (width, height) = (width, height)
    func isPerson(_ x: Int, _ y: Int) -> Bool {
      matte.isPerson(min(y, height - 1) * width + min(x, width - 1))
    }
    for y in 0..<height {
      for x in 0..<width {
        let here = isPerson(x, y)
        let (right, below) = (min(x + 1, width - 1), min(y + 1, height - 1))
        if let judged, [y, below].contains(where: { judged[$0 * width + x] == 0 || judged[$0 * width + right] == 0 }) {
          continue
        }
        if here != isPerson(x + 1, y) || here != isPerson(x, y + 1) || here != isPerson(x + 1, y + 1) {
          pixels.append(y * width + x)
        }
      }
    }
  }

  /// Every pixel whose centre is at most `radius` from that of one of these.
  func neighborhood(radius: Int) -> PlainPixels {
    // Of each row of the disc half its length.
    let halves = (-radius...radius).map { y in
      var half = 0
      while (half + 1) * (half + 1) + y * y <= radius * radius { half += 1 }
      return half
    }
    // Where a run begins and where it is over: their sum along a row tells how many cover a pixel.
    var changes = [Int32](repeating: 0, count: (width + 1) * height)
    for pixel in pixels {
      let (x, y) = (pixel % width, pixel / width)
      for row in max(0, y - radius)...min(height - 1, y + radius) {
        let half = halves[row - y + radius]
        changes[row * (width + 1) + max(0, x - half)] += 1
        changes[row * (width + 1) + min(width, x + half + 1)] -= 1
      }
    }
    var set = PlainPixels(count: width * height)
    for y in 0..<height {
      var cover: Int32 = 0
      for x in 0..<width {
        cover += changes[y * (width + 1) + x]
        if cover > 0 { set.insert(y * width + x) }
      }
    }
    return set
  }
}

/// Some of a picture's pixels, by their places.
struct PlainPixels {
  private var flags: [Bool]
  var memberCount = 0

  init(count: Int) { flags = [Bool](repeating: false, count: count) }

  func contains(_ pixel: Int) -> Bool { flags[pixel] }

  mutating func insert(_ pixel: Int) {
    if !flags[pixel] { memberCount += 1 }
    flags[pixel] = true
  }

  /// Pixels that are in one of both.
  func union(_ other: PlainPixels) -> PlainPixels {
    var set = self
    for pixel in flags.indices where other.flags[pixel] { set.insert(pixel) }
    return set
  }
}
