/// Draws several people in a room: those in front cover those behind, and furniture covers both.
/// Owned by one thread.
final class Stage {
  let lens: Pinhole
  private let room: RoomPicture
  private let canvas: PersonCanvas
  /// Everyone's premultiplied colour (0 to 255) and alpha (0 to 1), as in `PersonCanvas`; 0 outside of `box`.
  let layers: UnsafeMutablePointer<SIMD4<Float>>
  /// Metres, of the nearest person that covers a twentieth of the pixel or more; 0 for none.
  let distances: UnsafeMutablePointer<Float>
  private(set) var box = PixelBox.empty
  private let nearestRoom: Float

  init(_ room: RoomPicture) {
    self.room = room
    lens = room.lens
    canvas = PersonCanvas(lens: lens)
    let count = lens.width * lens.height
    layers = .allocate(capacity: count)
    layers.initialize(repeating: .zero, count: count)
    distances = .allocate(capacity: count)
    distances.initialize(repeating: 0, count: count)
    nearestRoom = room.distances.min() ?? 0
  }

  deinit {
    layers.deallocate()
    distances.deallocate()
  }

  /// - Parameter onlyFloor: draws where the room's floor is seen, whatever the distance: mirror images.
  func draw(_ figures: [Figure], onlyFloor: Bool = false) {
    clear()
    for figure in figures {
      canvas.draw(figure.parts)
      guard !canvas.box.isEmpty else { continue }
      box = box.union(canvas.box)
      for y in canvas.box.minY..<canvas.box.maxY {
        for x in canvas.box.minX..<canvas.box.maxX {
          let i = y * lens.width + x
          let layer = canvas.layers[i]
          guard layer.w > 0 else { continue }
          let distance = canvas.distances[i] > 0 ? canvas.distances[i] : figure.distance
          let share = onlyFloor ? (room.isFloor[i] ? 1 : 0) : visibility(x, y, distance)
          guard share > 0 else { continue }
          layers[i] = layer * share + layers[i] * (1 - layer.w * share)
          if layer.w * share >= 0.05 { distances[i] = distance }
        }
      }
    }
  }

  private func clear() {
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      let start = y * lens.width + box.minX
      (layers + start).update(repeating: .zero, count: box.maxX - box.minX)
      (distances + start).update(repeating: 0, count: box.maxX - box.minX)
    }
    box = .empty
  }

  /// Share of a pixel where the room lies behind a distance: the mean of 3 x 3 pixels, weighted 1 2 1.
  private func visibility(_ x: Int, _ y: Int, _ distance: Float) -> Float {
    let limit = distance - 0.06
    guard nearestRoom < limit else { return 1 }
    var sum: Float = 0
    for dy in -1...1 {
      let row = min(max(y + dy, 0), lens.height - 1) * lens.width
      for dx in -1...1 where room.distances[row + min(max(x + dx, 0), lens.width - 1)] > limit {
        sum += Float((dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1))
      }
    }
    return sum / 16
  }
}
