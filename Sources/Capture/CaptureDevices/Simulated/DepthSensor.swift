import FrameModel
import Support

/// Turns true distances into what a Kinect would have sent, row by row.
///
/// In order: the projector's shadow, edges shaken sideways, range, noise of the disparity, its rounding to steps. Owned by
/// one thread.
final class DepthSensor {
  /// Neighbours whose distances differ by more than this share of the farther one lie on different surfaces.
  private static let edge: Float = 0.04

  private let lens: Pinhole
  private let format: PixelFormat
  private let noise: SensorNoise?
  private let seed: UInt64
  private let hidden: UnsafeMutablePointer<Float>
  private let shaken: UnsafeMutablePointer<Float>
  private let shifts: UnsafeMutablePointer<Float>
  /// One row of noise.
  private let bells: UnsafeMutablePointer<Float>
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
    bells = .allocate(capacity: lens.width)
    raw = .allocate(capacity: lens.width)
  }

  deinit {
    hidden.deallocate()
    shaken.deallocate()
    shifts.deallocate()
    bells.deallocate()
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
    quantise(noise, frame: frame, row: row)
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

  /// Edges lie up to three pixels off. Within a surface nothing moves: what a window of the pattern says there is the
  /// axial noise's to blur.
  private func shake(_ noise: SensorNoise, frame: Int, row: Int) {
    let width = lens.width
    noise.field.copyRow(row, of: .init(seed: seed, frame: frame, channel: 0x5349), count: width, to: bells)
    let (hidden, shaken, bells) = (self.hidden, self.shaken, self.bells)
    for x in 0..<width {
      var from = x + Int((KinectDepthModel.lateralSigma * bells[x]).nearestInteger)
      from = from < 0 ? 0 : (from < width ? from : width - 1)
      let (own, other) = (hidden[x], hidden[from])
      let isEdge = (own - other).magnitude > Self.edge * Swift.max(own, other)
      shaken[x] = isEdge ? other : own
    }
  }

  /// - Parameter noise: nil for the nearest step.
  private func quantise(_ noise: SensorNoise?, frame: Int, row: Int) {
    let width = lens.width
    if let noise {
      noise.field.copyRow(row, of: .init(seed: seed, frame: frame, channel: 0x4158), count: width, to: bells)
    } else {
      bells.update(repeating: 0, count: width)
    }
    let (shaken, bells, raw) = (self.shaken, self.bells, self.raw)
    for x in 0..<width {
      let z = shaken[x]
      let isMeasured = z >= KinectDepthModel.nearest && z <= KinectDepthModel.farthest
      let meters = isMeasured ? z : 1
      let value = KinectDepthModel.rawValue(meters) + KinectDepthModel.spread(meters: meters) * bells[x]
      raw[x] = isMeasured ? value.nearestInteger : Int32(KinectDepthModel.noRaw)
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
