import Support

struct Furniture {
  let look: SceneLook
  let seed: UInt64

  /// Solids in compact groups: a piece of furniture each, or the books of one shelf.
  func pieces() -> [[SceneRoom.Solid]] {
    bookshelf() + [sofa(), lamp(), table(), curtains(), plant()]
  }

  private typealias Solid = SceneRoom.Solid
  private typealias Material = SceneRoom.Material
  private static let wood = Vector3(0.52, 0.36, 0.22)

  private func box(_ low: Vector3, _ high: Vector3, _ material: Material, _ color: Vector3) -> Solid {
    Solid(form: .box(low: low, high: high), material: material, color: color)
  }

  private func ball(_ center: Vector3, _ radii: Vector3, _ material: Material, _ color: Vector3) -> Solid {
    Solid(form: .ball(center: center, radii: radii), material: material, color: color)
  }

  private func cone(
    _ x: Float, _ z: Float, top: Float, bottom: Float, upper: Float, lower: Float, _ material: Material,
    _ color: Vector3
  ) -> Solid {
    Solid(
      form: .cone(x: x, z: z, top: top, bottom: bottom, upper: upper, lower: lower), material: material, color: color)
  }

  /// An open case with five shelves of books; returns the case, then each shelf's books.
  private func bookshelf() -> [[Solid]] {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x424F_4F4B))
    let (left, right, top, front): (Float, Float, Float, Float) = (-2.05, -0.90, -0.98, 3.92)
    let (floor, back, board) = (SceneRoom.floorY, SceneRoom.backZ, Float(0.035))
    var books: [[Solid]] = []
    var solids = [
      box(Vector3(left, top, back - 0.02), Vector3(right, floor, back), .darkWood, Self.wood * 0.5),
      box(Vector3(left, top, front), Vector3(left + board, floor, back), .wood, Self.wood),
      box(Vector3(right - board, top, front), Vector3(right, floor, back), .wood, Self.wood),
    ]
    let shelves = 6
    let pitch = (floor - 0.08 - top) / Float(shelves - 1)
    let colors = [
      Vector3(0.62, 0.20, 0.18), Vector3(0.20, 0.34, 0.52), Vector3(0.84, 0.74, 0.52), Vector3(0.24, 0.42, 0.32),
      Vector3(0.86, 0.84, 0.80), Vector3(0.76, 0.50, 0.20), Vector3(0.36, 0.26, 0.42), Vector3(0.22, 0.22, 0.26),
      Vector3(0.58, 0.66, 0.70), Vector3(0.70, 0.42, 0.40),
    ]
    for shelf in 0..<shelves {
      let y = top + pitch * Float(shelf)
      solids.append(
        box(Vector3(left + board, y, front), Vector3(right - board, y + board, back), .wood, Self.wood * 1.05))
      guard shelf > 0 else { continue }
      var row: [Solid] = []
      var x = left + board + 0.01
      while x < right - board - 0.05 {
        let width = 0.028 + 0.040 * generator.nextFloat()
        let height = (pitch - board) * (0.58 + 0.34 * generator.nextFloat())
        let color = colors[generator.next(below: colors.count)] * (0.85 + 0.3 * generator.nextFloat())
        let depth = front + 0.03 + 0.05 * generator.nextFloat()
        let end = min(x + width, right - board)
        if generator.nextFloat() > 0.10 {
          row.append(box(Vector3(x, y - height, depth), Vector3(end - 0.002, y, back - 0.05), .book, color))
        }
        x += width
      }
      books.append(row)
    }
    return [solids] + books
  }

  private func sofa() -> [Solid] {
    let color = look.sofa
    return [
      box(Vector3(0.42, 0.70, 2.95), Vector3(2.30, 1.05, 3.80), .sofa, color),
      box(Vector3(0.42, 0.28, 3.58), Vector3(2.30, 0.95, 3.88), .sofa, color * 0.97),
      box(Vector3(0.30, 0.50, 2.98), Vector3(0.50, 1.08, 3.86), .sofa, color * 1.04),
      box(Vector3(2.22, 0.50, 2.98), Vector3(2.42, 1.08, 3.86), .sofa, color * 1.04),
      ball(Vector3(0.40, 0.51, 3.42), Vector3(0.13, 0.10, 0.46), .sofa, color * 1.06),
      ball(Vector3(2.32, 0.51, 3.42), Vector3(0.13, 0.10, 0.46), .sofa, color * 1.06),
      ball(Vector3(0.93, 0.71, 3.28), Vector3(0.47, 0.12, 0.36), .sofa, color * 1.08),
      ball(Vector3(1.80, 0.71, 3.28), Vector3(0.47, 0.12, 0.36), .sofa, color * 1.08),
      ball(Vector3(0.78, 0.50, 3.46), Vector3(0.22, 0.21, 0.12), .cushion, look.stripe * 0.95),
      ball(Vector3(1.98, 0.50, 3.47), Vector3(0.23, 0.20, 0.12), .cushion, look.rug),
    ]
  }

  private func lamp() -> [Solid] {
    let (x, z): (Float, Float) = (-0.66, 3.55)
    return [
      cone(x, z, top: -0.52, bottom: -0.16, upper: 0.13, lower: 0.23, .lampShade, Vector3(1.0, 0.90, 0.70)),
      cone(x, z, top: -0.17, bottom: 1.12, upper: 0.013, lower: 0.013, .metal, Vector3(0.32, 0.29, 0.26)),
      cone(x, z, top: 1.115, bottom: 1.15, upper: 0.15, lower: 0.16, .metal, Vector3(0.30, 0.27, 0.24)),
    ]
  }

  private func table() -> [Solid] {
    var solids = [box(Vector3(-1.75, 0.62, 2.10), Vector3(-0.72, 0.66, 2.75), .table, Self.wood * 1.15)]
    for x in [Float(-1.70), -0.82] {
      for z in [Float(2.14), 2.66] {
        solids.append(box(Vector3(x, 0.66, z), Vector3(x + 0.05, 1.15, z + 0.05), .wood, Self.wood * 0.8))
      }
    }
    return solids + [
      box(Vector3(-1.28, 0.590, 2.28), Vector3(-0.98, 0.620, 2.50), .book, Vector3(0.24, 0.40, 0.46)),
      box(Vector3(-1.25, 0.565, 2.30), Vector3(-1.01, 0.590, 2.48), .book, Vector3(0.80, 0.56, 0.30)),
      cone(-0.86, 2.36, top: 0.52, bottom: 0.62, upper: 0.045, lower: 0.040, .mug, Vector3(0.90, 0.88, 0.84)),
    ]
  }

  private func curtains() -> [Solid] {
    let top: Float = -1.16
    var solids = [box(Vector3(0.28, top, 4.14), Vector3(2.06, top + 0.03, 4.17), .metal, Vector3(0.34, 0.30, 0.26))]
    for from in [Float(0.36), 1.74] {
      for fold in 0..<5 {
        let (x, z) = (from + 0.062 * Float(fold), 4.165 - 0.012 * Float(fold % 2))
        solids.append(
          cone(x, z, top: top + 0.02, bottom: 1.10, upper: 0.036, lower: 0.042, .curtain, look.curtain))
      }
    }
    return solids
  }

  private func plant() -> [Solid] {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4C45_4146))
    let (x, z): (Float, Float) = (-1.50, 2.45)
    var solids = [
      cone(x, z, top: 0.48, bottom: 0.62, upper: 0.090, lower: 0.065, .pot, Vector3(0.74, 0.44, 0.32))
    ]
    for _ in 0..<26 {
      let spread = 0.16 * generator.nextFloat().squareRoot()
      let turn = Double(generator.nextFloat()) * 2 * PortableMath.pi
      let height = 0.46 - 0.34 * generator.nextFloat()
      let center = Vector3(
        x + spread * Float(PortableMath.cos(turn)), height + spread * 0.5,
        z + spread * Float(PortableMath.sin(turn)))
      let radii = Vector3(0.030 + 0.020 * generator.nextFloat(), 0.050 + 0.03 * generator.nextFloat(), 0.016)
      let color = Vector3(0.22 + 0.12 * generator.nextFloat(), 0.44 + 0.16 * generator.nextFloat(), 0.22)
      solids.append(ball(center, radii, .leaf, color))
    }
    return solids
  }
}
