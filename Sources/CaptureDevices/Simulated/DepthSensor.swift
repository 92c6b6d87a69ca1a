import FrameModel
import PortableMath

/// Turns true distances into what a Kinect would have sent, row by row.
///
/// In order: the projector's shadow, edges shaken sideways, axial noise, range, quantisation. Owned by one thread.
final class DepthSensor {
  private let lens: Pinhole
  private let format: PixelFormat
  private let noise: SensorNoise?
  private let seed: UInt64
  private let hidden: UnsafeMutablePointer<Float>
  private let shaken: UnsafeMutablePointer<Float>
  private let shifts: UnsafeMutablePointer<Float>
  private let raw: UnsafeMutablePointer<Int32>

  /// - Parameter noise: nil for a sensor that only quantises and has shadows.
  init(lens: Pinhole, format: PixelFormat, noise: SensorNoise?, seed: UInt64) {
    self.lens = lens
    self.format = format
    self.noise = noise
    self.seed = seed
    hidden = .allocate(capacity: lens.width)
    shaken = .allocate(capacity: lens.width)
    shifts = .allocate(capacity: lens.width)
    raw = .allocate(capacity: lens.width)
  }

  deinit {
    hidden.deallocate()
    shaken.deallocate()
    shifts.deallocate()
    raw.deallocate()
  }

  /// - Parameters:
  ///   - distances: metres, one row; 0 where nothing comes back.
  ///   - output: the frame's row.
  func sense(
    _ distances: UnsafePointer<Float>, frame: Int, row: Int, into output: UnsafeMutableRawPointer
  ) {
    castShadow(distances)
    if let noise {
      shake(noise, frame: frame, row: row)
    } else {
      shaken.update(from: hidden, count: lens.width)
    }
    quantise()
    write(to: output)
  }

  /// A point is measured only where the projector's light falls. Seen from the projector, which stands to the
  /// right, a point's column is x − f·b/z; light reaches the leftmost columns past everything to their right only
  /// if none of those comes out further left. So shadows lie to the left of near things.
  private func castShadow(_ distances: UnsafePointer<Float>) {
    let width = lens.width
    let reach = lens.focalX * KinectDepthModel.baseline
    // What sends nothing back has no known place, so it casts no shadow either.
    for x in 0..<width { shifts[x] = Float(x) - reach / (distances[x] > 0.05 ? distances[x] : 1000) }
    var leftmost = Float.greatestFiniteMagnitude
    var x = width - 1
    while x >= 0 {
      let column = shifts[x]
      let isLit = column <= leftmost
      hidden[x] = isLit ? distances[x] : 0
      leftmost = isLit ? column : leftmost
      x -= 1
    }
  }

  /// Reads from a place up to three pixels to the side; four neighbours in two rows share it, since the sensor
  /// matches blocks of dots.
  private func shake(_ noise: SensorNoise, frame: Int, row: Int) {
    let width = lens.width
    let sideways = SensorNoise.offset(seed, frame, row >> 1, 0x5349)
    let along = SensorNoise.offset(seed, frame, row, 0x4158)
    let hidden = self.hidden
    let shaken = self.shaken
    noise.lateral.withUnsafeBufferPointer { lateral in
      guard let jitter = lateral.baseAddress.map({ $0 + sideways }) else { return }
      for x in 0..<width {
        var from = x + Int(jitter[x >> 2])
        from = from < 0 ? 0 : (from < width ? from : width - 1)
        shaken[x] = hidden[from]
      }
    }
    noise.axial.withUnsafeBufferPointer { axial in
      guard let bell = axial.baseAddress.map({ $0 + along }) else { return }
      for x in 0..<width {
        let z = shaken[x]
        let noisy = z + KinectDepthModel.sigma(meters: z) * bell[x]
        shaken[x] = z >= KinectDepthModel.nearest && z <= KinectDepthModel.farthest ? noisy : 0
      }
    }
  }

  private func quantise() {
    let shaken = self.shaken
    let raw = self.raw
    for x in 0..<lens.width {
      let z = shaken[x]
      let isMeasured = z >= KinectDepthModel.nearest && z <= KinectDepthModel.farthest
      let value = KinectDepthModel.rawValue(isMeasured ? z : 1).nearestInteger
      raw[x] = isMeasured ? value : Int32(KinectDepthModel.noRaw)
    }
  }

  private func write(to output: UnsafeMutableRawPointer) {
    let width = lens.width
    switch format {
    case .kinectRaw11:
      let row = output.assumingMemoryBound(to: UInt16.self)
      for x in 0..<width { row[x] = UInt16(truncatingIfNeeded: raw[x]).littleEndian }
    case .disparityFloat32:
      let row = output.assumingMemoryBound(to: UInt32.self)
      KinectDepthModel.disparities.withUnsafeBufferPointer { table in
        for x in 0..<width { row[x] = table[Int(raw[x]) & 2047].bitPattern.littleEndian }
      }
    default:
      let row = output.assumingMemoryBound(to: UInt16.self)
      KinectDepthModel.millimeters.withUnsafeBufferPointer { table in
        for x in 0..<width { row[x] = table[Int(raw[x]) & 2047].littleEndian }
      }
    }
  }
}
