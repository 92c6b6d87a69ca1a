/// What a shutter that stays open sees of people: the mean of several moments, row by row later if the
/// shutter rolls. Colours stay premultiplied by the mean alpha, so alpha is exact. Owned by one thread.
final class ExposureCanvas {
  private let stage: Stage
  private var lens: Pinhole { stage.lens }
  let layers: UnsafeMutablePointer<SIMD4<Float>>
  private(set) var box = PixelBox.empty
  private let blur: Double
  private let rolling: Double
  private let momentCount: Int

  init(_ room: RoomPicture, _ effects: SceneEffects) {
    stage = Stage(room)
    (blur, rolling) = (effects.blurMilliseconds / 1000, effects.rollingMilliseconds / 1000)
    momentCount = blur + rolling > 0 ? 9 : 1
    let count = stage.lens.width * stage.lens.height
    layers = .allocate(capacity: count)
    layers.initialize(repeating: .zero, count: count)
  }

  deinit { layers.deallocate() }

  func expose(_ cast: Cast, at time: Double, empty: Bool) {
    for y in 0..<lens.height where !box.isEmpty && y >= box.minY && y < box.maxY {
      (layers + (y * lens.width + box.minX)).update(repeating: .zero, count: box.maxX - box.minX)
    }
    box = .empty
    guard !empty else { return }
    let span = blur + rolling
    for moment in 0..<momentCount {
      // Nobody is there before time 0, so the first frame is as long as the others.
      let offset = span * ((Double(moment) + 0.5) / Double(momentCount) - 0.5)
      stage.draw(cast.figures(at: max(time + offset, 0)))
      guard !stage.box.isEmpty else { continue }
      box = box.union(stage.box)
      for y in stage.box.minY..<stage.box.maxY {
        let weight = weight(of: moment, row: y)
        guard weight > 0 else { continue }
        for i in y * lens.width + stage.box.minX..<y * lens.width + stage.box.maxX {
          layers[i] += stage.layers[i] * weight
        }
      }
    }
  }

  /// Share of a row's exposure that falls to a moment's part of the time.
  private func weight(of moment: Int, row: Int) -> Float {
    guard momentCount > 1 else { return 1 }
    let part = (blur + rolling) / Double(momentCount)
    let open = max(blur, part)
    let center = rolling * ((Double(row) + 0.5) / Double(lens.height) - 0.5)
    // The window stays within the time that moments cover.
    let limit = (blur + rolling - open) / 2
    let start = center.clamped(-limit, limit) - open / 2
    let from = part * Double(moment) - (blur + rolling) / 2
    return Float(max(0, min(start + open, from + part) - max(start, from)) / open)
  }
}
