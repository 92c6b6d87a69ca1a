/// Furniture between the camera and the room, at the people's distance or before them.
enum NearFurniture: Sendable {
  case none
  /// A desk with a monitor at its side, and a cabinet beside the chair.
  case desk
  /// An armchair's back, a plant and a sideboard.
  case hall

  init(_ scene: SceneName) { self = scene == .walk || scene == .crossing ? .hall : .desk }

  func pieces(_ look: SceneLook) -> [[SceneRoom.Solid]] {
    typealias Solid = SceneRoom.Solid
    func box(_ low: Vector3, _ high: Vector3, _ material: SceneRoom.Material, _ color: Vector3) -> Solid {
      Solid(form: .box(low: low, high: high), material: material, color: color)
    }
    func ball(_ center: Vector3, _ radii: Vector3, _ material: SceneRoom.Material, _ color: Vector3) -> Solid {
      Solid(form: .ball(center: center, radii: radii), material: material, color: color)
    }
    let wood = Vector3(0.46, 0.31, 0.19)
    switch self {
    case .none: return []
    case .desk:
      return [
        [
          box(Vector3(-0.62, 0.335, 0.62), Vector3(0.70, 0.360, 0.86), .table, wood * 1.1),
          box(Vector3(0.30, 0.06, 0.80), Vector3(0.60, 0.26, 0.82), .metal, Vector3(0.10, 0.10, 0.12)),
          box(Vector3(0.43, 0.26, 0.80), Vector3(0.47, 0.335, 0.83), .metal, Vector3(0.16, 0.16, 0.18)),
        ],
        [
          box(Vector3(-1.05, -0.05, 1.05), Vector3(-0.52, 1.15, 1.45), .wood, wood),
          ball(Vector3(-0.78, -0.16, 1.22), Vector3(0.12, 0.12, 0.12), .leaf, Vector3(0.24, 0.42, 0.22)),
        ],
        [
          // The chair's back, seen when the person turns.
          box(Vector3(-0.24, 0.30, 1.32), Vector3(0.28, 0.75, 1.37), .sofa, Vector3(0.20, 0.21, 0.24))
        ],
      ]
    case .hall:
      return [
        [
          box(Vector3(0.45, 0.34, 1.62), Vector3(1.02, 1.15, 1.76), .sofa, look.sofa * 0.9),
          box(Vector3(0.40, 0.52, 1.55), Vector3(0.52, 1.15, 1.95), .sofa, look.sofa),
          box(Vector3(0.95, 0.52, 1.55), Vector3(1.07, 1.15, 1.95), .sofa, look.sofa),
        ],
        [
          box(Vector3(-1.75, 0.36, 2.45), Vector3(-1.20, 1.15, 2.80), .wood, wood),
          box(Vector3(-1.62, 0.10, 2.58), Vector3(-1.56, 0.36, 2.64), .metal, Vector3(0.70, 0.66, 0.58)),
        ],
      ]
    }
  }
}
