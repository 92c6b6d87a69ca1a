import Support

struct Furniture {
  let look: SceneLook
  let seed: UInt64

  /// Solids grouped by piece, which lie close together.
  func pieces() -> [[SceneRoom.Solid]] {
    bookshelf() + [sofa(), lamp(), table(), curtains(), plant()]
  }

  private typealias Solid = SceneRoom.Solid
  private static let wood = Vector3(0.52, 0.36, 0.22)

  private func box(
    _ low: Vector3, _ high: Vector3, _ material: SceneRoom.Material, _ color: Vector3
  ) -> SceneRoom.Solid {
    SceneRoom.Solid(form: .box(low: low, high: high), material: material, color: color)
  }

  /// An open case with five shelves of books; returns the case, then each shelf's books.
  private func bookshelf() -> [[SceneRoom.Solid]] {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x424F_4F4B))
    func unit() -> Float { Float(generator.next() >> 40) * 0x1p-24 }
    let left: Float = -2.05
    let right: Float = -0.90
    let top: Float = -0.98
    let front: Float = 3.92
    let back = SceneRoom.backZ
    let board: Float = 0.035
    var books: [[SceneRoom.Solid]] = []
    var solids = [
      box(
        Vector3(left, top, back - 0.02), Vector3(right, SceneRoom.floorY, back), .darkWood, Self.wood * 0.5),
      box(Vector3(left, top, front), Vector3(left + board, SceneRoom.floorY, back), .wood, Self.wood),
      box(Vector3(right - board, top, front), Vector3(right, SceneRoom.floorY, back), .wood, Self.wood),
    ]
    let shelves = 6
    let pitch = (SceneRoom.floorY - 0.08 - top) / Float(shelves - 1)
    let colors = [
      Vector3(0.62, 0.20, 0.18), Vector3(0.20, 0.34, 0.52), Vector3(0.84, 0.74, 0.52),
      Vector3(0.24, 0.42, 0.32),
      Vector3(0.86, 0.84, 0.80), Vector3(0.76, 0.50, 0.20), Vector3(0.36, 0.26, 0.42),
      Vector3(0.22, 0.22, 0.26),
      Vector3(0.58, 0.66, 0.70), Vector3(0.70, 0.42, 0.40),
    ]
    for shelf in 0..<shelves {
      let y = top + pitch * Float(shelf)
      solids.append(
        box(Vector3(left + board, y, front), Vector3(right - board, y + board, back), .wood, Self.wood * 1.05)
      )
      guard shelf > 0 else { continue }
      var row: [SceneRoom.Solid] = []
      var x = left + board + 0.01
      while x < right - board - 0.05 {
        let width = 0.028 + 0.040 * unit()
        let height = (pitch - board) * (0.58 + 0.34 * unit())
        let color = colors[generator.next(below: colors.count)] * (0.85 + 0.3 * unit())
        let depth = front + 0.03 + 0.05 * unit()
        let end = Swift.min(x + width, right - board)
        if unit() > 0.10 {
          row.append(box(Vector3(x, y - height, depth), Vector3(end - 0.002, y, back - 0.05), .book, color))
        }
        x += width
      }
      books.append(row)
    }
    return [solids] + books
  }

  private func sofa() -> [SceneRoom.Solid] {
    let color = look.sofa
    var solids = [
      box(Vector3(0.42, 0.70, 2.95), Vector3(2.30, 1.05, 3.80), .sofa, color),
      box(Vector3(0.42, 0.28, 3.58), Vector3(2.30, 0.95, 3.88), .sofa, color * 0.97),
      box(Vector3(0.30, 0.50, 2.98), Vector3(0.50, 1.08, 3.86), .sofa, color * 1.04),
      box(Vector3(2.22, 0.50, 2.98), Vector3(2.42, 1.08, 3.86), .sofa, color * 1.04),
    ]
    for x in [Float(0.40), 2.32] {
      solids.append(
        Solid(
          form: .ball(center: Vector3(x, 0.51, 3.42), radii: Vector3(0.13, 0.10, 0.46)), material: .sofa,
          color: color * 1.06))
    }
    for x in [Float(0.93), 1.80] {
      solids.append(
        Solid(
          form: .ball(center: Vector3(x, 0.71, 3.28), radii: Vector3(0.47, 0.12, 0.36)), material: .sofa,
          color: color * 1.08))
    }
    solids.append(
      Solid(
        form: .ball(center: Vector3(0.78, 0.50, 3.46), radii: Vector3(0.22, 0.21, 0.12)), material: .cushion,
        color: look.stripe * 0.95))
    solids.append(
      Solid(
        form: .ball(center: Vector3(1.98, 0.50, 3.47), radii: Vector3(0.23, 0.20, 0.12)), material: .cushion,
        color: look.rug))
    return solids
  }

  private func lamp() -> [SceneRoom.Solid] {
    let x: Float = -0.66
    let z: Float = 3.55
    func cone(_ top: Float, _ bottom: Float, _ upper: Float, _ lower: Float) -> SceneRoom.Solid.Form {
      .cone(x: x, z: z, top: top, bottom: bottom, upper: upper, lower: lower)
    }
    return [
      Solid(form: cone(-0.52, -0.16, 0.13, 0.23), material: .lampShade, color: Vector3(1.0, 0.90, 0.70)),
      Solid(form: cone(-0.17, 1.12, 0.013, 0.013), material: .metal, color: Vector3(0.32, 0.29, 0.26)),
      Solid(form: cone(1.115, 1.15, 0.15, 0.16), material: .metal, color: Vector3(0.30, 0.27, 0.24)),
    ]
  }

  private func table() -> [SceneRoom.Solid] {
    let wood = Self.wood * 1.15
    var solids = [box(Vector3(-1.75, 0.62, 2.10), Vector3(-0.72, 0.66, 2.75), .table, wood)]
    for x in [Float(-1.70), -0.82] {
      for z in [Float(2.14), 2.66] {
        solids.append(box(Vector3(x, 0.66, z), Vector3(x + 0.05, 1.15, z + 0.05), .wood, Self.wood * 0.8))
      }
    }
    solids.append(
      box(Vector3(-1.28, 0.590, 2.28), Vector3(-0.98, 0.620, 2.50), .book, Vector3(0.24, 0.40, 0.46)))
    solids.append(
      box(Vector3(-1.25, 0.565, 2.30), Vector3(-1.01, 0.590, 2.48), .book, Vector3(0.80, 0.56, 0.30)))
    solids.append(
      Solid(
        form: .cone(x: -0.86, z: 2.36, top: 0.52, bottom: 0.62, upper: 0.045, lower: 0.040), material: .mug,
        color: Vector3(0.90, 0.88, 0.84)))
    return solids
  }

  private func curtains() -> [SceneRoom.Solid] {
    let top: Float = -1.16
    let color = look.curtain
    var solids = [
      box(Vector3(0.28, top, 4.14), Vector3(2.06, top + 0.03, 4.17), .metal, Vector3(0.34, 0.30, 0.26))
    ]
    for (from, count) in [(Float(0.36), 5), (1.74, 5)] {
      for fold in 0..<count {
        let x = from + 0.062 * Float(fold)
        solids.append(
          Solid(
            form: .cone(
              x: x, z: 4.165 - 0.012 * Float(fold % 2), top: top + 0.02, bottom: 1.10, upper: 0.036,
              lower: 0.042),
            material: .curtain, color: color))
      }
    }
    return solids
  }

  private func plant() -> [SceneRoom.Solid] {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4C45_4146))
    func unit() -> Float { Float(generator.next() >> 40) * 0x1p-24 }
    let x: Float = -1.50
    let z: Float = 2.45
    var solids = [
      Solid(
        form: .cone(x: x, z: z, top: 0.48, bottom: 0.62, upper: 0.090, lower: 0.065), material: .pot,
        color: Vector3(0.74, 0.44, 0.32))
    ]
    for _ in 0..<26 {
      let spread = 0.16 * unit().squareRoot()
      let turn = Double(unit()) * 2 * PortableMath.pi
      let height = 0.46 - 0.34 * unit()
      let center = Vector3(
        x + spread * Float(PortableMath.cos(turn)), height + spread * 0.5,
        z + spread * Float(PortableMath.sin(turn)))
      solids.append(
        Solid(
          form: .ball(center: center, radii: Vector3(0.030 + 0.020 * unit(), 0.050 + 0.03 * unit(), 0.016)),
          material: .leaf, color: Vector3(0.22 + 0.12 * unit(), 0.44 + 0.16 * unit(), 0.22)))
    }
    return solids
  }
}
