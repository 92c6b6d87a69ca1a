import ChunkFormat
import FrameModel

/// `PlaneTransform` in plain loops.
package enum PlaneReference {
  package struct Plane: Equatable {
    package var width: Int
    package var height: Int
    package var samples: [UInt8]

    package init(_ width: Int, _ height: Int, _ sample: (_ x: Int, _ y: Int) -> UInt8) {
      self.width = width
      self.height = height
      samples = (0..<height).flatMap { y in (0..<width).map { x in sample(x, y) } }
    }

    /// Returns 0 left of and above the plane.
    package func sample(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(samples[y * width + x]) }
  }

  package static func planes(_ bytes: [UInt8], _ layout: FrameLayout, as form: PlaneForm = .tiles) -> [Plane] {
    let (width, height, rowByteCount) = (layout.width, layout.height, layout.bytesPerRow)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let byte = { (x: Int, y: Int) in bytes[y * rowByteCount + x] }
    let planes: [Plane]
    switch layout.format {
    case .rgb24 where form == .rgbColumns:
      planes = (0..<3).map { channel in Plane(width, height) { x, y in byte(3 * x + channel, y) } }
    case .rgb24 where form == .liftedColumns:
      let difference = { (x: Int, y: Int) in byte(3 * x, y) &- byte(3 * x + 1, y) &+ 128 }
      let mean = { (x: Int, y: Int) in byte(3 * x + 1, y) &+ difference(x, y) / 2 &- 64 }
      planes = [
        Plane(width, height, mean), Plane(width, height, difference),
        Plane(width, height) { x, y in byte(3 * x + 2, y) &- mean(x, y) &+ 128 },
      ]
    case .rgb24:
      let red = { (x: Int, y: Int) in byte(3 * x, y) &- byte(3 * x + 1, y) &+ 128 }
      let blue = { (x: Int, y: Int) in byte(3 * x + 2, y) &- byte(3 * x + 1, y) &+ 128 }
      planes = [
        Plane(width, height) { x, y in
          byte(3 * x + 1, y) &+ UInt8((Int(red(x, y)) + Int(blue(x, y))) / 4) &- 64
        }, Plane(width, height, red), Plane(width, height, blue),
      ]
    case .yuyv:
      planes = [
        Plane(2 * halfWidth, height) { x, y in byte(2 * x, y) },
        Plane(halfWidth, height) { x, y in byte(4 * x + 1, y) },
        Plane(halfWidth, height) { x, y in byte(4 * x + 3, y) },
      ]
    case .nv12:
      planes = [
        Plane(2 * halfWidth, height, byte),
        Plane(halfWidth, halfHeight) { x, y in byte(2 * x, height + y) },
        Plane(halfWidth, halfHeight) { x, y in byte(2 * x + 1, height + y) },
      ]
    case .grey8: planes = [Plane(width, height, byte)]
    case .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8:
      planes = [
        Plane(halfWidth, halfHeight) { x, y in byte(2 * x, 2 * y) },
        Plane(width / 2, halfHeight) { x, y in byte(2 * x + 1, 2 * y) },
        Plane(halfWidth, height / 2) { x, y in byte(2 * x, 2 * y + 1) },
        Plane(width / 2, height / 2) { x, y in byte(2 * x + 1, 2 * y + 1) },
      ]
    case .jpeg, .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .motion: planes = []
    }
    return planes.filter { !$0.samples.isEmpty }
  }

  /// The predictor as the JPEG-LS standard states it.
  package static func median(left a: Int, above b: Int, aboveLeft c: Int) -> Int {
    if c >= max(a, b) { return min(a, b) }
    if c <= min(a, b) { return max(a, b) }
    return a + b - c
  }

  package static func residuals(_ plane: Plane) -> Plane {
    Plane(plane.width, plane.height) { x, y in
      let prediction = median(
        left: plane.sample(x - 1, y), above: plane.sample(x, y - 1), aboveLeft: plane.sample(x - 1, y - 1))
      return UInt8(truncatingIfNeeded: plane.sample(x, y) - prediction)
    }
  }

  /// Tile classes as differences, and residuals in tile order.
  package static func tiles(_ bytes: [UInt8], _ layout: FrameLayout, as form: PlaneForm = .tiles) -> (
    classes: [UInt8], residuals: [UInt8]
  ) {
    let step = form == .tiles ? 1 : 2
    var tiles: [(tileClass: Int, residuals: [UInt8])] = []
    for plane in planes(bytes, layout, as: form).map(residuals) {
      for top in stride(from: 0, to: plane.height, by: 8) {
        for left in stride(from: 0, to: plane.width, by: 16) {
          for first in left..<left + step {
            let tile = (top..<min(top + 8, plane.height)).flatMap { y in
              stride(from: first, to: min(left + 16, plane.width), by: step).map { plane.samples[y * plane.width + $0] }
            }
            tiles.append((tileClass(tile), tile))
          }
        }
      }
    }
    let classes = tiles.indices.map { index in
      UInt8(truncatingIfNeeded: tiles[index].tileClass - (index == 0 ? 0 : tiles[index - 1].tileClass))
    }
    let sorted = (0..<256).reversed().flatMap { wanted in tiles.filter { $0.tileClass == wanted } }
    return (classes, sorted.flatMap(\.residuals))
  }

  private static func tileClass(_ tile: [UInt8]) -> Int {
    let sum = tile.reduce(0) { $0 + min(Int($1), 256 - Int($1)) }
    guard sum > 1 else { return 2 * sum }
    let digits = String(sum, radix: 2)
    return 2 * digits.count + (digits.dropFirst().first == "1" ? 1 : 0)
  }

  package static func nibbles(_ bytes: [UInt8], _ layout: FrameLayout) -> [UInt8] {
    var codes: [UInt8] = []
    for plane in planes(bytes, layout).map(residuals) {
      codes += plane.samples.map { $0 < 128 ? 2 * $0 : 2 * (255 - $0) + 1 }
    }
    let large = codes.filter { $0 >= 15 }
    while codes.count % 32 != 0 { codes.append(0) }
    var packed: [UInt8] = []
    for start in stride(from: 0, to: codes.count, by: 32) {
      for index in start..<(start + 16) { packed.append(min(codes[index], 15) | min(codes[index + 16], 15) << 4) }
    }
    return packed + large
  }
}
