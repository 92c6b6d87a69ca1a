/// Turns true distances and a person's alpha into depth as hard as a registered Kinect v1's: ragged edges,
/// flying pixels, shadows on both sides, holes on hair and dark cloth, and a registration that is off.
/// Shares and sizes are those of Tools/rigs/mattes/sensor.py. Owned by one thread.
final class RoughDepthSensor {
  /// Metres from the colour camera to the projector, and to the infrared camera on its other side.
  private static let projector: Float = 0.05
  private static let camera: Float = 0.025
  /// Of every surface.
  private static let leastLoss: Float = 0.0012

  private let lens: Pinhole
  private let writer: DepthSensor
  private let effects: SceneEffects
  private let seed: UInt64
  private let hasNoise: Bool
  private let coarse: NoiseField
  private let fine: NoiseField
  private let quantile = NormalQuantile()
  /// The room's metres, written by the caller before every frame; `body`: the people's, 0 where there is nobody.
  let room: UnsafeMutablePointer<Float>
  let body: UnsafeMutablePointer<Float>
  let alpha: UnsafeMutablePointer<Float>
  /// Share of pixels lost on people, and on the room.
  let loss: UnsafeMutablePointer<Float>
  let roomLoss: UnsafeMutablePointer<Float>
  private let seen: UnsafeMutablePointer<Float>
  private let flown: UnsafeMutablePointer<Float>
  private let row: UnsafeMutablePointer<Float>
  private let nearest: UnsafeMutablePointer<Float>
  private let noise: [UnsafeMutablePointer<Float>]

  init(lens: Pinhole, writer: DepthSensor, noise sensorNoise: SensorNoise?, _ options: SceneOptions) {
    (self.lens, self.writer, effects, seed) = (lens, writer, options.effects, options.seed)
    hasNoise = sensorNoise != nil
    coarse = sensorNoise?.field ?? NoiseField(seed: 0)
    fine = NoiseField(seed: options.seed ^ 0x4649_4E45, window: 4)
    let count = lens.width * lens.height
    func plane(_ count: Int) -> UnsafeMutablePointer<Float> {
      let plane = UnsafeMutablePointer<Float>.allocate(capacity: count)
      plane.initialize(repeating: 0, count: count)
      return plane
    }
    (room, body, alpha, loss, roomLoss) = (plane(count), plane(count), plane(count), plane(count), plane(count))
    (seen, flown, row) = (plane(count), plane(count), plane(lens.width))
    nearest = plane(2 * (lens.width + 2 * Self.margin))
    noise = (0..<4).map { _ in plane(lens.width) }
  }

  deinit {
    for plane in [room, body, alpha, loss, roomLoss, seen, flown, row, nearest] + noise { plane.deallocate() }
  }

  private enum Channel: UInt64 {
    case moveX = 0x4D58
    case moveY, edge, hole, patch, freshX, freshY, freshEdge, freshHole, weight
  }

  /// Patterns of the sensor stay from frame to frame; those that `frame` numbers are drawn again.
  private func read(_ field: NoiseField, _ channel: Channel, frame: Int = -1, row: Int, into: Int) {
    let place = NoiseField.Place(seed: seed, frame: frame, channel: channel.rawValue)
    field.copyRow(row, of: place, count: lens.width, to: noise[into])
  }

  func sense(frame: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int) {
    for y in 0..<lens.height { look(frame, y) }
    for y in 0..<lens.height { fly(frame, y) }
    for y in 0..<lens.height {
      let target = y + effects.shiftY
      guard target >= 0, target < lens.height else { continue }
      lose(frame, y)
      writer.measure(row, frame: frame, row: y, shiftedBy: effects.shiftX, into: base + target * bytesPerRow)
    }
    // Rows that the registration's error leaves without depth.
    let missing =
      effects.shiftY >= 0 ? 0..<min(effects.shiftY, lens.height) : max(0, lens.height + effects.shiftY)..<lens.height
    for x in 0..<lens.width { row[x] = 0 }
    for y in missing { writer.measure(row, frame: frame, row: y, shiftedBy: 0, into: base + y * bytesPerRow) }
  }

  /// Edges wander; a person is seen where half of the moved pixel is covered, more or less.
  private func look(_ frame: Int, _ y: Int) {
    let (width, height) = (lens.width, lens.height)
    let size = hasNoise ? Float(effects.ragged) : 0
    // Sums of a fixed and a fresh part, whose variances are as .8² and .45².
    read(coarse, .moveX, row: y, into: 0)
    read(coarse, .freshX, frame: frame, row: y, into: 1)
    for x in 0..<width { noise[0][x] = (0.87 * noise[0][x] + 0.49 * noise[1][x]) * size }
    read(coarse, .moveY, row: y, into: 1)
    read(coarse, .freshY, frame: frame, row: y, into: 2)
    for x in 0..<width { noise[1][x] = (0.87 * noise[1][x] + 0.49 * noise[2][x]) * size * 0.8 }
    read(fine, .edge, row: y, into: 2)
    read(fine, .freshEdge, frame: frame, row: y, into: 3)
    for x in 0..<width {
      let column = min(max(x + Int(noise[0][x].nearestInteger), 0), width - 1)
      let line = min(max(y + Int(noise[1][x].nearestInteger), 0), height - 1)
      let from = line * width + column
      let i = y * width + x
      let covered = softAlpha(column, line)
      let threshold = size > 0 ? 0.5 + 0.10 * noise[2][x] + 0.05 * noise[3][x] : 0.5
      let near = body[from] > 0 ? body[from] : body[i]
      seen[i] = covered > threshold && near > 0 ? near : room[from]
      // From here on the share that is lost.
      if covered <= 0.15 { loss[i] = roomLoss[from] }
    }
  }

  /// Alpha as the window of the pattern sees it: the mean of 3 x 3 pixels, weighted 1 2 1.
  @inline(__always)
  private func softAlpha(_ x: Int, _ y: Int) -> Float {
    let (left, right) = (max(x - 1, 0), min(x + 1, lens.width - 1))
    func line(_ y: Int) -> Float {
      let row = alpha + min(max(y, 0), lens.height - 1) * lens.width
      return row[left] + 2 * row[x] + row[right]
    }
    return (line(y - 1) + 2 * line(y) + line(y + 1)) / 16
  }

  /// Some pixels at steps of depth lie in between, since the window sees both surfaces.
  private func fly(_ frame: Int, _ y: Int) {
    let width = lens.width
    guard hasNoise, effects.flying > 0 else {
      (flown + y * width).update(from: seen + y * width, count: width)
      return
    }
    let limit = quantile(Float(effects.flying))
    read(fine, .edge, row: y, into: 0)
    read(fine, .freshHole, frame: frame, row: y, into: 1)
    read(fine, .weight, frame: frame, row: y, into: 2)
    for x in 0..<width {
      let i = y * width + x
      flown[i] = seen[i]
      guard 0.77 * noise[0][x] + 0.63 * noise[1][x] < limit else { continue }
      let (near, far) = extremes(seen, x, y, 1)
      guard near > 0, far - near > 0.06 * near, far < RoomPicture.unmeasurable else { continue }
      let share = (0.5 + 0.4 * noise[2][x]).clamped(0, 1)
      flown[i] = 1 / (share / near + (1 - share) / far)
    }
  }

  private func extremes(_ plane: UnsafePointer<Float>, _ x: Int, _ y: Int, _ radius: Int) -> (Float, Float) {
    var (low, high) = (Float.greatestFiniteMagnitude, Float(0))
    for line in max(y - radius, 0)...min(y + radius, lens.height - 1) {
      for column in max(x - radius, 0)...min(x + radius, lens.width - 1) {
        let value = plane[line * lens.width + column]
        low = value < low ? value : low
        high = value > high ? value : high
      }
    }
    return (low, high)
  }

  /// Writes `row`: a line of distances, 0 where the sensor finds none.
  private func lose(_ frame: Int, _ y: Int) {
    let width = lens.width
    let line = flown + y * width
    row.update(from: line, count: width)
    if hasNoise {
      read(coarse, .patch, row: y, into: 0)
      read(fine, .hole, row: y, into: 1)
      read(fine, .freshHole, frame: frame, row: y, into: 2)
      read(fine, .edge, row: y, into: 3)
      for x in 0..<width {
        let i = y * width + x
        let pattern = 0.92 * (0.89 * noise[0][x] + 0.45 * noise[1][x]) + 0.39 * noise[2][x]
        if pattern < quantile(max(loss[i], Self.leastLoss * Float(effects.holes))) { row[x] = 0 }
        guard effects.shadows, row[x] > 0 else { continue }
        // Far pixels beside a near surface are often lost, near ones seldom: 40 % and 4 %.
        let edge = 0.87 * noise[3][x] + 0.49 * noise[2][x]
        if edge > 0.25, line[x] - extremes(flown, x, y, 2).0 > 0.06 * line[x] { row[x] = 0 }
        if edge > 1.75, extremes(flown, x, y, 1).1 - line[x] > 0.06 * line[x] { row[x] = 0 }
      }
    }
    guard effects.shadows else { return }
    hide(line, baseline: Self.projector)
    hide(line, baseline: -Self.camera)
  }

  private static let margin = 160

  /// Removes what a second viewpoint, `baseline` metres to the right, does not see.
  private func hide(_ line: UnsafePointer<Float>, baseline: Float) {
    let wide = lens.width + 2 * Self.margin
    let reach = lens.focalX * baseline
    nearest.update(repeating: .greatestFiniteMagnitude, count: 2 * wide)
    @inline(__always) func cell(_ x: Int) -> Int {
      let z = max(line[x], 0.05)
      return min(max(Int((Float(x) - reach / z).floorInteger) + Self.margin, 0), wide - 2)
    }
    for x in 0..<lens.width where line[x] > 0 {
      let at = cell(x)
      // The next cell closes the gaps of surfaces that the other view sees stretched.
      nearest[at] = min(nearest[at], line[x])
      nearest[at + 1] = min(nearest[at + 1], line[x])
    }
    for x in 0..<lens.width where line[x] > nearest[cell(x)] * 1.03 + 0.02 { row[x] = 0 }
  }
}
