/// The room as the camera sees it. Nothing in it moves, so it is drawn once.
struct RoomPicture: Sendable {
  let lens: Pinhole
  /// Packed RGB.
  let pixels: [UInt8]
  /// Metres along the optical axis; `unmeasurable` for the view through the window.
  let distances: [Float]
  /// Where the floor is seen.
  let isFloor: [Bool]

  /// Beyond the range of the simulated sensors.
  static let unmeasurable: Float = 100

  init(_ room: SceneRoom, lens: Pinhole) {
    let count = lens.width * lens.height
    var pixels = [UInt8](repeating: 0, count: count * 3)
    var distances = [Float](repeating: 0, count: count)
    var isFloor = [Bool](repeating: false, count: count)
    var ids = [Int32](repeating: 0, count: count)
    var colors = [Vector3](repeating: .zero, count: count)
    for y in 0..<lens.height {
      for x in 0..<lens.width {
        let ray = lens.ray(Float(x) + 0.5, Float(y) + 0.5)
        let hit = room.hit(ray)
        let i = y * lens.width + x
        ids[i] = hit.id
        isFloor[i] = hit.material == .floor
        colors[i] = room.color(of: hit, along: ray)
        let isSky = hit.material == .window && !room.isWindowFrame(ray * hit.distance)
        distances[i] = isSky ? Self.unmeasurable : hit.distance
      }
    }
    for y in 0..<lens.height {
      for x in 0..<lens.width {
        let i = y * lens.width + x
        let isBorder =
          (x + 1 < lens.width && Self.differ(i, i + 1, ids, colors))
          || (y + 1 < lens.height && Self.differ(i, i + lens.width, ids, colors))
          || (x > 0 && Self.differ(i, i - 1, ids, colors))
          || (y > 0 && Self.differ(i, i - lens.width, ids, colors))
        let color = isBorder ? Self.fine(room, lens, x, y) : colors[i]
        pixels[3 * i] = UInt8(truncatingIfNeeded: color.x.nearestInteger)
        pixels[3 * i + 1] = UInt8(truncatingIfNeeded: color.y.nearestInteger)
        pixels[3 * i + 2] = UInt8(truncatingIfNeeded: color.z.nearestInteger)
      }
    }
    self.lens = lens
    self.pixels = pixels
    self.distances = distances
    self.isFloor = isFloor
  }

  private static func differ(_ i: Int, _ j: Int, _ ids: [Int32], _ colors: [Vector3]) -> Bool {
    guard ids[i] == ids[j] else { return true }
    let d = colors[i] - colors[j]
    return d.dot(d) > 1200
  }

  /// Antialiased: the mean of 3 x 3 rays.
  private static func fine(_ room: SceneRoom, _ lens: Pinhole, _ x: Int, _ y: Int) -> Vector3 {
    var sum = Vector3.zero
    for row in 0..<3 {
      for column in 0..<3 {
        let ray = lens.ray(Float(x) + (Float(column) + 0.5) / 3, Float(y) + (Float(row) + 0.5) / 3)
        sum += room.color(of: room.hit(ray), along: ray)
      }
    }
    return sum / 9
  }
}
