import FrameModel

/// Turns true distances into what a Kinect would have sent, row by row: projector shadow, lateral
/// edge noise, range limits, disparity noise, rounding to steps. Owned by one thread.
final class DepthSensor {
  /// Depth differences above this share of the farther distance are edges.
  private static let edge: Float = 0.04

  private let lens: Pinhole
  private let format: PixelFormat
  private let noise: SensorNoise?
  private let seed: UInt64
  private let hidden: UnsafeMutablePointer<Float>
  private let shaken: UnsafeMutablePointer<Float>
  private let shifts: UnsafeMutablePointer<Float>
  /// Noise of the row, 0 from an ideal sensor.
  private let bells: UnsafeMutablePointer<Float>
  private let raw: UnsafeMutablePointer<Int32>

  /// - Parameter noise: nil for shadows and quantisation only.
  init(lens: Pinhole, format: PixelFormat, noise: SensorNoise?, seed: UInt64) {
    self.lens = lens
    self.format = format
    self.noise = noise
    self.seed = seed
    hidden = .allocate(capacity: lens.width)
    shaken = .allocate(capacity: lens.width)
    shifts = .allocate(capacity: lens.width)
    bells = .allocate(capacity: lens.width)
    bells.initialize(repeating: 0, count: lens.width)
    raw = .allocate(capacity: lens.width)
  }

  deinit {
    hidden.deallocate()
    shaken.deallocate()
    shifts.deallocate()
    bells.deallocate()
    raw.deallocate()
  }

  /// - Parameter distances: one row in metres; 0 where nothing is reflected.
  func sense(
    _ distances: UnsafePointer<Float>, frame: Int, row: Int, into output: UnsafeMutableRawPointer
  ) {
    castShadow(distances)
    readNoise(frame, row, channel: 0x5349)
    shake()
    readNoise(frame, row, channel: 0x4158)
    quantise()
    write(to: output)
  }

  /// Measures a line of distances without shadows or wandering edges.
  /// - Parameter shift: moves the line by so many pixels to the right; there is no depth beside it.
  func measure(
    _ distances: UnsafePointer<Float>, frame: Int, row: Int, shiftedBy shift: Int, into output: UnsafeMutableRawPointer
  ) {
    for x in 0..<lens.width {
      let from = x - shift
      shaken[x] = from >= 0 && from < lens.width ? distances[from] : 0
    }
    readNoise(frame, row, channel: 0x4158)
    quantise()
    write(to: output)
  }

  private func readNoise(_ frame: Int, _ row: Int, channel: UInt64) {
    noise?.field.copyRow(row, of: .init(seed: seed, frame: frame, channel: channel), count: lens.width, to: bells)
  }

  /// Removes points that the projector, to the camera's right, does not light. The projector sees a
  /// point in column x − f·b/z. It lights the point only if no point farther right has a smaller
  /// such column, so shadows lie to the left of near objects.
  private func castShadow(_ distances: UnsafePointer<Float>) {
    let width = lens.width
    let reach = lens.focalX * KinectDepthModel.baseline
    // Points without a reflection have no known place and cast no shadow.
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

  /// Moves depth edges sideways, usually by at most three pixels. Surfaces have axial noise only.
  private func shake() {
    let width = lens.width
    let (hidden, shaken, bells) = (self.hidden, self.shaken, self.bells)
    for x in 0..<width {
      var from = x + Int((KinectDepthModel.lateralSigma * bells[x]).nearestInteger)
      from = from < 0 ? 0 : (from < width ? from : width - 1)
      let (own, other) = (hidden[x], hidden[from])
      let isEdge = (own - other).magnitude > Self.edge * max(own, other)
      shaken[x] = isEdge ? other : own
    }
  }

  /// Adds noise along the axis and rounds to the nearest step.
  private func quantise() {
    let width = lens.width
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
