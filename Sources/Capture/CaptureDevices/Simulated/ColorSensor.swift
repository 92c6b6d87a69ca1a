import Kernels

/// Turns a perfect picture into what a camera with one sensor takes of it: the lens, the colour filters in front of the
/// pixels, their noise, and the colours that lie between.
///
/// The Kinect's RGB camera sends a Bayer mosaic, green and red over blue and green; libfreenect makes colours of it by
/// taking means of neighbours, as `Kernels.ColorConversion` does on replay. So a colour frame is to the byte what replay
/// makes of the mosaic of the same instant. Integers alone. Owned by one thread.
///
/// The lens spreads every point over (1 4 1) / 6 pixels in both directions. Over the steps of a frame of TUM's
/// fr3/walking_xyz that are as high as 50 levels or more, the largest change from one pixel to the next is 0.41 of the step
/// (median; quartiles 0.33 and 0.50); through this lens and mosaic it is 0.41 (0.36 and 0.47), and without the lens 0.50.
final class ColorSensor {
  private let width: Int
  private let height: Int
  private let noise: SensorNoise
  private let seed: UInt64
  /// Rows weighted and added up, with a pixel more on either side.
  private let sums: UnsafeMutablePointer<UInt16>
  /// The last picture, as GRBG8.
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

  /// - Parameter rgb: `width` · `height` · 3 bytes.
  /// - Returns: the mosaic, GRBG8; valid until the next call.
  func expose(_ rgb: UnsafePointer<UInt8>, frame: Int) -> UnsafePointer<UInt8> {
    for y in 0..<height {
      addRows(rgb, around: y)
      noise.withMosaicRow(seed: seed, frame: frame, row: y) { noise in
        let row = mosaic + y * width
        // The colour that each filter lets through: green and red, or blue and green.
        let (even, odd) = y & 1 == 0 ? (1, 0) : (2, 1)
        for x in stride(from: 0, to: width, by: 2) { row[x] = sample(x, even, noise[x]) }
        for x in stride(from: 1, to: width, by: 2) { row[x] = sample(x, odd, noise[x]) }
      }
    }
    return UnsafePointer(mosaic)
  }

  /// The colours of the last mosaic.
  /// - Parameter target: as many bytes as `expose` was given.
  func demosaic(to target: UnsafeMutablePointer<UInt8>) {
    ColorConversion.bayer(mosaic, .grbg, width: width, height: height, to: target, rows: 0..<height)
  }

  /// Beyond an edge the picture is mirrored.
  private func addRows(_ rgb: UnsafePointer<UInt8>, around y: Int) {
    let count = 3 * width
    let row = rgb + y * count
    let above = rgb + (y > 0 ? y - 1 : Swift.min(1, height - 1)) * count
    let below = rgb + (y + 1 < height ? y + 1 : Swift.max(0, height - 2)) * count
    let sums = self.sums + 3
    for i in 0..<count { sums[i] = UInt16(above[i]) &+ 4 &* UInt16(row[i]) &+ UInt16(below[i]) }
    let second = 3 * Swift.min(1, width - 1)
    let lastButOne = 3 * Swift.max(0, width - 2)
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
