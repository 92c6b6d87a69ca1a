import Kernels

/// Simulates a single-sensor colour camera: lens blur, Bayer filter, sensor noise, demosaicing.
///
/// The mosaic is GRBG like the Kinect's. Like libfreenect, `Kernels.ColorConversion` demosaics it
/// by averaging neighbours, here and on replay. So a colour frame has exactly the bytes that replay
/// makes of the same instant's mosaic. Integer arithmetic only. Owned by one thread.
///
/// The lens blurs by (1 4 1) / 6 in both directions. At steps of 50 levels or more in a frame of
/// TUM's fr3/walking_xyz, the largest change between adjacent pixels is 0.41 of the step (median;
/// quartiles 0.33 and 0.50). Here it is 0.41 (0.36 and 0.47), and 0.50 without the lens.
final class ColorSensor {
  private let width: Int
  private let height: Int
  private let noise: SensorNoise
  private let seed: UInt64
  /// Weighted sums of three rows, with one more pixel on either side.
  private let sums: UnsafeMutablePointer<UInt16>
  private let mosaic: UnsafeMutablePointer<UInt8>

  init(width: Int, height: Int, noise: SensorNoise, seed: UInt64) {
    self.width = width
    self.height = height
    self.noise = noise
    self.seed = seed
    sums = .allocate(capacity: 3 * (width + 2))
    mosaic = .allocate(capacity: width * height)
  }

  deinit {
    sums.deallocate()
    mosaic.deallocate()
  }

  /// `rgb` has `width` · `height` · 3 bytes. The returned mosaic (GRBG8) is valid until the next
  /// call.
  func expose(_ rgb: UnsafePointer<UInt8>, frame: Int) -> UnsafePointer<UInt8> {
    for y in 0..<height {
      addRows(rgb, around: y)
      noise.withMosaicRow(seed: seed, frame: frame, row: y) { noise in
        let row = mosaic + y * width
        // Channels of the filters: green and red, or blue and green.
        let (even, odd) = y & 1 == 0 ? (1, 0) : (2, 1)
        for x in stride(from: 0, to: width, by: 2) { row[x] = sample(x, even, noise[x]) }
        for x in stride(from: 1, to: width, by: 2) { row[x] = sample(x, odd, noise[x]) }
      }
    }
    return UnsafePointer(mosaic)
  }

  /// Demosaics the last mosaic into as many bytes as `expose` was given.
  func demosaic(to target: UnsafeMutablePointer<UInt8>) {
    ColorConversion.bayer(mosaic, .bayerGRBG8, width: width, height: height, to: target, rows: 0..<height)
  }

  /// Beyond its edges the image is mirrored.
  private func addRows(_ rgb: UnsafePointer<UInt8>, around y: Int) {
    let count = 3 * width
    let row = rgb + y * count
    let above = rgb + (y > 0 ? y - 1 : min(1, height - 1)) * count
    let below = rgb + (y + 1 < height ? y + 1 : max(0, height - 2)) * count
    let sums = self.sums + 3
    for i in 0..<count { sums[i] = UInt16(above[i]) &+ 4 &* UInt16(row[i]) &+ UInt16(below[i]) }
    let second = 3 * min(1, width - 1)
    let lastButOne = 3 * max(0, width - 2)
    for channel in 0..<3 {
      sums[channel - 3] = sums[second + channel]
      sums[count + channel] = sums[lastButOne + channel]
    }
  }

  @inline(__always)
  private func sample(_ x: Int, _ channel: Int, _ noise: Int8) -> UInt8 {
    let sums = self.sums + 3 * (x + 1) + channel
    let light = UInt32(sums[-3]) &+ 4 &* UInt32(sums[0]) &+ UInt32(sums[3])
    let value = Int32(truncatingIfNeeded: (light &+ 18) / 36) &+ Int32(noise)
    return UInt8(truncatingIfNeeded: value < 0 ? 0 : (value > 255 ? 255 : value))
  }
}
