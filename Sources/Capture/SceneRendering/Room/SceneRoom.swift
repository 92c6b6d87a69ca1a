/// The room's geometry: what a ray from the camera hits, how far away, and in which colour. Lengths
/// are metres. The camera is at the origin, the floor at y = 1.15, the ceiling at y = −1.40 and the
/// back wall at z = 4.3. Everything is a box, an upright cone or cylinder, or a ball.
struct SceneRoom: Sendable {
  enum Material: Sendable {
    case wall, ceiling, floor, rug, skirting, window, curtain, wood, darkWood, book, sofa, cushion, lampShade
    case metal, table, mug, pot, leaf, painting
  }

  struct Solid: Sendable {
    enum Form: Sendable {
      case box(low: Vector3, high: Vector3)
      /// Upright, around (x, z), with radii `lower` and `upper` at two heights (y grows downwards).
      case cone(x: Float, z: Float, top: Float, bottom: Float, upper: Float, lower: Float)
      case ball(center: Vector3, radii: Vector3)
    }
    var form: Form
    var material: Material
    var color: Vector3
  }

  /// Solids with a common bounding box, so that most rays skip a shelf of books with one test.
  private struct Group: Sendable {
    var low: Vector3
    var high: Vector3
    var members: Range<Int>

    init(_ solids: ArraySlice<Solid>) {
      members = solids.indices
      low = Vector3(repeating: .greatestFiniteMagnitude)
      high = Vector3(repeating: -.greatestFiniteMagnitude)
      for solid in solids {
        let (a, b) = solid.form.bounds
        low = pointwiseMin(low, a)
        high = pointwiseMax(high, b)
      }
    }
  }

  struct Hit: Sendable {
    /// Along the ray whose z is 1, so metres along the optical axis.
    var distance: Float
    var normal: Vector3
    var material: Material
    var color: Vector3
    /// Surface index; pixels on the border of two are antialiased.
    var id: Int32
  }

  static let floorY: Float = 1.15
  static let ceilingY: Float = -1.40
  static let backZ: Float = 4.30
  static let sideX: Float = 2.75
  /// The window's opening in the back wall. The sky has no measurable distance.
  static let window = WallRectangle(low: SIMD2(0.62, -1.02), high: SIMD2(1.72, 0.12))
  static let painting = WallRectangle(low: SIMD2(-0.68, -0.86), high: SIMD2(0.12, -0.28))

  let look: SceneLook
  let noise: ValueNoise
  private let solids: [Solid]
  private let groups: [Group]

  private let hasRug: Bool

  /// - Parameter nearFurniture: adds pieces as near as people are.
  init(look: SceneLook, seed: UInt64, nearFurniture: NearFurniture = .none, hasRug: Bool = true) {
    self.hasRug = hasRug
    self.look = look
    noise = ValueNoise(seed: seed ^ 0x524F_4F4D)
    var solids: [Solid] = []
    groups = (Furniture(look: look, seed: seed).pieces() + nearFurniture.pieces(look)).map { piece in
      solids += piece
      return Group(solids.suffix(piece.count))
    }
    self.solids = solids
  }

  /// The nearest hit of a ray from the camera, whose z must be 1.
  func hit(_ ray: Vector3) -> Hit {
    var best = shell(ray)
    let inverse = Vector3(1 / Self.nonZero(ray.x), 1 / Self.nonZero(ray.y), 1)
    for group in groups {
      let entry = Solid.Form.enter(low: group.low, high: group.high, inverse)?.distance
      guard let entry, entry < best.distance else { continue }
      for i in group.members {
        guard let (distance, normal) = solids[i].form.meet(ray, inverse), distance < best.distance else {
          continue
        }
        best = Hit(
          distance: distance, normal: normal, material: solids[i].material, color: solids[i].color,
          id: Self.firstSolidID + Int32(i))
      }
    }
    return best
  }

  /// Smaller ids belong to the shell: floor, ceiling and walls.
  private static let firstSolidID: Int32 = 16

  private static func nonZero(_ x: Float) -> Float { x.magnitude < 1e-6 ? (x < 0 ? -1e-6 : 1e-6) : x }

  private func shell(_ ray: Vector3) -> Hit {
    var best = Hit(distance: Self.backZ, normal: Vector3(0, 0, -1), material: .wall, color: look.wall, id: 0)
    func meet(_ distance: Float, _ normal: Vector3, _ material: Material, id: Int32) {
      guard distance < best.distance else { return }
      best = Hit(distance: distance, normal: normal, material: material, color: look.wall, id: id)
    }
    if ray.y > 0 { meet(Self.floorY / ray.y, Vector3(0, -1, 0), .floor, id: 1) }
    if ray.y < 0 { meet(Self.ceilingY / ray.y, Vector3(0, 1, 0), .ceiling, id: 2) }
    if ray.x != 0 {
      meet(Self.sideX / ray.x.magnitude, Vector3(ray.x > 0 ? -1 : 1, 0, 0), .wall, id: ray.x > 0 ? 3 : 4)
    }
    let point = ray * best.distance
    if best.id == 0, Self.window.contains(point) {
      (best.material, best.id) = (.window, 5)
    } else if best.id == 0, Self.painting.contains(point) {
      (best.material, best.id) = (.painting, 6)
    }
    if best.material == .wall, point.y > Self.floorY - 0.11 {
      best.material = .skirting
      best.id += 7
    }
    if hasRug, best.material == .floor, Self.rugRadiusSquared(point) < 1 { (best.material, best.id) = (.rug, 15) }
    return best
  }

  /// 1 on the edge of the rug, an ellipse.
  static func rugRadiusSquared(_ point: Vector3) -> Float {
    let x = (point.x - 0.1) / 1.45
    let z = (point.z - 2.75) / 0.85
    return x * x + z * z
  }
}

extension SceneRoom.Solid.Form {
  var bounds: (Vector3, Vector3) {
    switch self {
    case .box(let low, let high): (low, high)
    case .cone(let x, let z, let top, let bottom, let upper, let lower):
      (
        Vector3(x - max(upper, lower), top, z - max(upper, lower)),
        Vector3(x + max(upper, lower), bottom, z + max(upper, lower))
      )
    case .ball(let center, let radii): (center - radii, center + radii)
    }
  }

  /// Where a ray from the origin enters, and the normal there.
  func meet(_ ray: Vector3, _ inverse: Vector3) -> (distance: Float, normal: Vector3)? {
    switch self {
    case .box(let low, let high): return Self.enter(low: low, high: high, inverse)
    case .ball(let center, let radii):
      // Scaled by the radii, it is a unit ball.
      let d = ray / radii
      let c = center / radii
      let a = d.dot(d)
      let b = d.dot(c)
      let root = b * b - a * (c.dot(c) - 1)
      guard root > 0 else { return nil }
      let t = (b - root.squareRoot()) / a
      return t > 0 ? (t, ((ray * t - center) / radii / radii).normalized) : nil
    case .cone(let x, let z, let top, let bottom, let upper, let lower):
      // (p.x − x)² + (p.z − z)² = (r₀ + k p.y)², quadratic along the ray.
      let k = (lower - upper) / (bottom - top)
      let r0 = upper - k * top
      let a = ray.x * ray.x + ray.z * ray.z - k * k * ray.y * ray.y
      let b = ray.x * x + ray.z * z + k * ray.y * r0
      let c = x * x + z * z - r0 * r0
      let root = b * b - a * c
      if root > 0, a > 0 {
        let t = (b - root.squareRoot()) / a
        let y = ray.y * t
        if t > 0, y > top, y < bottom {
          let point = ray * t
          return (t, Vector3(point.x - x, -k * (r0 + k * y), point.z - z).normalized)
        }
      }
      // The top disc seen from above, or the bottom disc from below.
      for (level, radius, up) in [(top, upper, Float(-1)), (bottom, lower, Float(1))] where level * ray.y > 0 {
        let t = level / ray.y
        let dx = ray.x * t - x
        let dz = ray.z * t - z
        if dx * dx + dz * dz < radius * radius, ray.y * up < 0 { return (t, Vector3(0, up, 0)) }
      }
      return nil
    }
  }

  /// Slab test from the origin, with the reciprocals of the ray's coordinates.
  @inline(__always)
  static func enter(low: Vector3, high: Vector3, _ inverse: Vector3) -> (distance: Float, normal: Vector3)? {
    let a = low * inverse
    let b = high * inverse
    let near = pointwiseMin(a, b)
    let far = pointwiseMax(a, b)
    let exit = min(far.x, min(far.y, far.z))
    let entry = max(near.x, max(near.y, near.z))
    guard entry > 0, entry < exit else { return nil }
    if entry == near.z { return (entry, Vector3(0, 0, -1)) }
    if entry == near.x { return (entry, Vector3(inverse.x > 0 ? -1 : 1, 0, 0)) }
    return (entry, Vector3(0, inverse.y > 0 ? -1 : 1, 0))
  }
}
