extension SceneRoom {
  private static let lampCenter = Vector3(-0.66, -0.34, 3.55)
  private static let daylight = Vector3(0.55, -0.45, -0.70).normalized

  /// Colour (0 to 255) where a ray hits, with daylight, lamp light and ambient occlusion.
  func color(of hit: Hit, along ray: Vector3) -> Vector3 {
    let point = ray * hit.distance
    let surface = paint(hit, point)
    if hit.material == .window || hit.material == .lampShade { return Self.display(surface) }
    let daylight = max(0, hit.normal.dot(Self.daylight))
    let upwards = max(0, -hit.normal.y)
    // Floor and walls reflect light up to the ceiling.
    let downwards = max(0, hit.normal.y)
    let toLamp = Self.lampCenter - point
    let distance = toLamp.dot(toLamp)
    let facing = max(0, hit.normal.dot(toLamp.normalized) + 0.25)
    let glow = 0.20 * facing / (0.30 + distance)
    var light =
      Vector3(0.53, 0.53, 0.55) + Vector3(0.37, 0.38, 0.39) * daylight + 0.10 * upwards + 0.26 * downwards
    light += Vector3(1.0, 0.78, 0.50) * glow
    return Self.display(surface * light * occlusion(hit, point))
  }

  private static func display(_ color: Vector3) -> Vector3 {
    (color * 255).clamped(lowerBound: Vector3(repeating: 0), upperBound: Vector3(repeating: 255))
  }

  private func paint(_ hit: Hit, _ point: Vector3) -> Vector3 {
    switch hit.material {
    case .wall: return wallpaper(hit, point)
    case .ceiling: return Vector3(0.92, 0.91, 0.89)
    case .skirting: return Vector3(0.93, 0.92, 0.90) * (point.y > Self.floorY - 0.105 ? 1 : 0.75)
    case .floor: return floorboards(point)
    case .rug: return rug(point)
    case .window: return windowView(point)
    case .painting: return painting(point)
    case .wood, .darkWood, .table:
      let grain = noise(point.x * 5 + point.z * 60, point.y * 90 + point.x * 3)
      return hit.color * (0.86 + 0.26 * grain)
    case .book: return book(hit, point)
    case .sofa, .cushion:
      let weave = noise(point.x * 160 + point.z * 40, point.y * 160 + point.z * 120)
      return hit.color * (0.92 + 0.15 * weave)
    case .lampShade:
      let middle = ((point.y + 0.34) / 0.18).clamped(-1, 1)
      return hit.color * (0.93 - 0.16 * middle * middle + 0.10 * max(0, -hit.normal.z))
    case .leaf: return hit.color * (0.8 + 0.4 * noise(point.x * 90, point.y * 60))
    case .curtain: return hit.color * (0.95 + 0.08 * noise(point.x * 140, point.y * 5))
    case .metal, .mug, .pot: return hit.color
    }
  }

  private func wallpaper(_ hit: Hit, _ point: Vector3) -> Vector3 {
    let along = hit.normal.z != 0 ? point.x : point.z
    let stripe = along / 0.16
    let column = stripe.floorInteger
    let inStripe = stripe - Float(column)
    var tone: Float = column & 1 == 0 ? 1.0 : 0.955
    let height = point.y / 0.20 + (column & 2 == 0 ? 0.5 : 0)
    let inHeight = height - Float(height.floorInteger)
    if column & 1 == 0 {
      let x = (inStripe - 0.5) * 0.16
      let y = (inHeight - 0.5) * 0.20
      tone -= 0.10 * min(1, 3 * Shape.spot(x, y, 0.018, 0.030))
      tone -= 0.07 * min(1, 3 * Shape.spot(x.magnitude - 0.022, y - 0.016, 0.014, 0.010))
    }
    return hit.color * (tone + 0.02 * (noise(along * 220, point.y * 220) - 0.5))
  }

  private func floorboards(_ point: Vector3) -> Vector3 {
    let board = (point.x / 0.14).floorInteger
    let inBoard = point.x / 0.14 - Float(board)
    let shift = noise(Float(board) * 7.3, 0.5) * 9
    let length = (point.z + shift) / 1.1
    let piece = length.floorInteger
    let inPiece = length - Float(piece)
    let tone = 0.82 + 0.30 * noise(Float(board) * 3.7 + 0.5, Float(piece) * 5.3 + 0.5)
    let grain = 0.90 + 0.20 * noise(point.x * 90, point.z * 7 + Float(board) * 11)
    let gap: Float = inBoard < 0.025 || inPiece < 0.004 ? 0.62 : 1
    return Vector3(0.62, 0.45, 0.30) * (tone * grain * gap)
  }

  private func rug(_ point: Vector3) -> Vector3 {
    let ring = (Self.rugRadiusSquared(point).squareRoot() * 6).floorInteger
    let tone: Float = ring == 5 ? 1.45 : (ring & 1 == 0 ? 1.0 : 1.2)
    return look.rug * (tone * (0.88 + 0.24 * noise(point.x * 150, point.z * 150)))
  }

  private func windowView(_ point: Vector3) -> Vector3 {
    let place = Self.window.place(of: point)
    if isWindowFrame(point) { return Vector3(0.93, 0.93, 0.92) * (Self.window.edge(place) < 0.008 ? 0.75 : 0.97) }
    let (x, y) = (place.x, place.y)
    let far = 0.62 + 0.10 * (noise(x * 3 + 4, 0.5) - 0.5)
    let near = 0.76 + 0.10 * (noise(x * 4 + 30, 9.5) - 0.5)
    if y > near { return Vector3(0.50, 0.64, 0.36).mixed(with: Vector3(0.42, 0.56, 0.30), (y - near) * 4) }
    if y > far { return Vector3(0.56, 0.68, 0.62) }
    let cloud = (noise(x * 4 + 11, y * 9 + 5) * 0.65 + noise(x * 11 + 2, y * 22) * 0.35).smoothstep(
      0.52, 0.78)
    return Vector3(0.62, 0.78, 0.93).mixed(with: Vector3(0.86, 0.92, 0.96), y * 1.2)
      .mixed(with: Vector3(0.97, 0.97, 0.97), cloud * 0.8)
  }

  /// Whether a point of the window is its frame, which can be measured, unlike the view outside.
  func isWindowFrame(_ point: Vector3) -> Bool {
    let place = Self.window.place(of: point)
    let edge = min(min(place.x, 1 - place.x), min(place.y, 1 - place.y))
    return edge < 0.055 || (place.x - 0.5).magnitude < 0.028 || (place.y - 0.42).magnitude < 0.022
  }

  private func painting(_ point: Vector3) -> Vector3 {
    let place = Self.painting.place(of: point)
    let (x, y, edge) = (place.x, place.y, Self.painting.edge(place))
    if edge < 0.022 { return Vector3(0.28, 0.20, 0.14) * (edge < 0.008 ? 1.3 : 1) }
    if edge < 0.085 { return Vector3(0.94, 0.93, 0.89) * (edge < 0.027 ? 0.8 : 1) }
    let sunX = (x - 0.64) * Self.painting.size.x
    let sunY = (y - 0.42) * Self.painting.size.y
    if sunX * sunX + sunY * sunY < 0.0030 { return Vector3(0.95, 0.66, 0.34) }
    let hills: [(Float, Float, Vector3)] = [
      (0.50, 3, Vector3(0.46, 0.56, 0.64)), (0.60, 5, Vector3(0.30, 0.44, 0.50)),
      (0.70, 4, Vector3(0.22, 0.34, 0.36)),
    ]
    var color = Vector3(0.93, 0.82, 0.70).mixed(with: Vector3(0.90, 0.72, 0.60), y)
    for (level, detail, shade) in hills
    where y > level + 0.16 * (noise(x * detail + level * 40, level * 90) - 0.5) {
      color = shade
    }
    return color
  }

  private func book(_ hit: Hit, _ point: Vector3) -> Vector3 {
    guard hit.normal.z < 0 else { return hit.color * 0.9 }
    // Bands across the spine, at heights that vary by book.
    let place = point.y * 16 + Float(hit.id) * 0.37
    let inBand = place - Float(place.floorInteger)
    return inBand > 0.86 && hit.id % 3 != 0
      ? hit.color.mixed(with: Vector3(0.90, 0.82, 0.60), 0.7) : hit.color
  }

  /// Ambient occlusion: 1 in the open, less where surfaces meet.
  private func occlusion(_ hit: Hit, _ point: Vector3) -> Float {
    var open: Float = 1
    let toFloor = Self.floorY - point.y
    let toCeiling = point.y - Self.ceilingY
    let toBack = Self.backZ - point.z
    let toSide = Self.sideX - point.x.magnitude
    func near(_ distance: Float, _ reach: Float, _ depth: Float) {
      if distance < reach {
        let t = 1 - distance / reach
        open *= 1 - depth * t * t
      }
    }
    switch hit.material {
    case .floor, .rug:
      near(toBack, 0.5, 0.45)
      near(toSide, 0.5, 0.35)
      open *= 1 - 0.60 * Self.shadow(point.x, point.z, 1.36, 3.42, 1.15, 0.62)
      open *= 1 - 0.40 * Self.shadow(point.x, point.z, -1.23, 2.43, 0.62, 0.42)
      open *= 1 - 0.45 * Self.shadow(point.x, point.z, -1.47, 4.10, 0.68, 0.34)
      open *= 1 - 0.35 * Self.shadow(point.x, point.z, -0.66, 3.55, 0.24, 0.24)
    case .wall, .skirting, .ceiling:
      near(toFloor, 0.35, 0.35)
      near(toCeiling, 0.35, 0.20)
      if hit.normal.z == 0 { near(toBack, 0.6, 0.25) } else { near(toSide, 0.6, 0.25) }
      if hit.normal.z != 0 {
        open *= 1 - 0.45 * Self.shadow(point.x, point.y, -1.47, 0.10, 0.70, 1.20)
        open *= 1 - 0.30 * Self.shadow(point.x, point.y, 1.40, 0.80, 1.12, 0.62)
        open *= 1 - 0.40 * Self.shadow(point.x, point.y, -0.28, -0.555, 0.43, 0.325)
        open *= 1 - 0.22 * Self.shadow(point.x, point.y, 0.50, 0, 0.24, 1.24)
        open *= 1 - 0.22 * Self.shadow(point.x, point.y, 1.88, 0, 0.24, 1.24)
      }
    case .darkWood: open = 0.55
    case .sofa, .cushion:
      near(toFloor, 0.30, 0.45)
      if hit.normal.y < -0.5, point.z < 3.6 { near(3.62 - point.z, 0.35, 0.40) }
    case .book:
      // Darker below the next shelf.
      if hit.normal.z == 0 { open = 0.75 }
    default: near(toFloor, 0.30, 0.30)
    }
    return open
  }

  /// A soft rectangular shadow around (x, y): 1 inside, fading over 14 cm across its edge.
  private static func shadow(
    _ x: Float, _ y: Float, _ centerX: Float, _ centerY: Float, _ halfX: Float, _ halfY: Float
  ) -> Float {
    let dx = max(0, (x - centerX).magnitude - halfX + 0.06)
    let dy = max(0, (y - centerY).magnitude - halfY + 0.06)
    let t = max(0, 1 - (dx * dx + dy * dy).squareRoot() / 0.14)
    return t * t
  }
}
