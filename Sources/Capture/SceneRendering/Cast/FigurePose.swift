import Support

/// Places the parts of a body for a stance. Limbs are bones that turn to the viewer; the torso gets
/// narrower as it turns; the head is painted from the front, from the side and from behind.
struct FigurePose {
  private let body: Body
  private let stance: Stance
  /// To the person's side (the image's right if it faces the camera), and forwards.
  private let across: Vector3
  private let forward: Vector3
  private let neck: Vector3
  private let heading: Double
  private let facing: Float
  private let swing: Float
  private let torso: PartPlacement

  init(_ body: Body, _ stance: Stance) {
    (self.body, self.stance) = (body, stance)
    let turns = stance.heading / (2 * PortableMath.pi)
    heading = (turns - turns.rounded(.toNearestOrEven)) * 2 * PortableMath.pi
    let (sine, cosine) = (Float(PortableMath.sin(heading)), Float(PortableMath.cos(heading)))
    across = Vector3(cosine, 0, sine)
    forward = Vector3(sine, 0, -cosine)
    facing = cosine
    swing = Float(PortableMath.sin(stance.gait * 2 * PortableMath.pi))
    let bob = 0.018 * stance.stride * Float(PortableMath.sin(stance.gait * 4 * PortableMath.pi))
    neck = Vector3(stance.x, stance.neckY + bob, stance.z)
    let lean = 0.03 * PortableMath.sin(stance.time * 1.1) * (stance.isSeated ? 1 : 0.3)
    var torso = PersonPose.turned(origin: neck, roll: lean, pitch: 0, yaw: 0.45 * Double(sine))
    torso.across = torso.across * (cosine * cosine + 0.38 * sine * sine).squareRoot()
    self.torso = torso
  }

  var figure: Figure {
    let arms = [Float(-1), 1].map(arm)
    let legs = stance.isSeated ? [] : [Float(-1), 1].map(leg)
    // In profile the far arm is behind the body, and the near one before it.
    let isProfile = facing.magnitude < 0.5
    let nearSide = across.z < 0 ? 1 : 0
    var parts: [Figure.Part] = []
    if isProfile { parts += arms[1 - nearSide] }
    if !legs.isEmpty { parts += legs[1 - nearSide] + legs[nearSide] }
    if let skirt = body.skirt, !stance.isSeated { parts.append(Figure.Part(map: skirt, place: skirtPlace)) }
    // From behind, forearms and hands are before the body.
    if facing <= 0, !isProfile { parts += arms[0].dropFirst() + arms[1].dropFirst() }
    parts.append(Figure.Part(map: body.person.torso, place: torso))
    let head = headPart
    if facing > 0 {
      if let hair = body.hairFront { parts.append(Figure.Part(map: hair, place: hairPlace(head.place))) }
      parts += scarfParts
      if !isProfile { parts += arms[0].prefix(1) + arms[1].prefix(1) }
      parts.append(head)
      if !isProfile { parts += arms[0].dropFirst() + arms[1].dropFirst() }
    } else {
      if !isProfile { parts += arms[0].prefix(1) + arms[1].prefix(1) }
      parts.append(head)
      parts += scarfParts
      if let hair = body.hairBack { parts.append(Figure.Part(map: hair, place: hairPlace(head.place))) }
    }
    if isProfile, facing > 0, let hair = body.hairBack {
      parts.append(Figure.Part(map: hair, place: hairPlace(head.place)))
    }
    if isProfile { parts += arms[nearSide] }
    return Figure(parts: parts, distance: stance.z, face: face(head.place))
  }

  private static let profileFrom = 0.95
  private static let backFrom = 2.20

  private var headPart: Figure.Part {
    let nod = 0.06 * PortableMath.sin(stance.time * 1.9)
    let isFront = heading.magnitude < Self.profileFrom
    let tilt = 0.05 * PortableMath.sin(stance.time * 1.3)
    var place = PersonPose.turned(
      origin: neck, roll: tilt, pitch: isFront ? nod : 0, yaw: isFront ? heading.clamped(-0.75, 0.75) : 0)
    place.origin = neck + torso.along * -0.050 + place.along * -0.097 + Vector3(0, 0, -0.012)
    if isFront { return Figure.Part(map: body.person.head, place: place, refinements: 2) }
    if heading.magnitude > Self.backFrom { return Figure.Part(map: body.back, place: place) }
    if forward.x < 0 { place.across = place.across * -1 }
    return Figure.Part(map: body.profile, place: place)
  }

  private func face(_ place: PartPlacement) -> Figure.Face? {
    guard heading.magnitude < 0.8 else { return nil }
    return Figure.Face(place: place, roll: 0.05 * PortableMath.sin(stance.time * 1.3), pitch: 0, yaw: heading)
  }

  /// Behind the head from the front, before it from behind, at the back in profile.
  private func hairPlace(_ head: PartPlacement) -> PartPlacement {
    let blown = Float(0.08 * PortableMath.sin(stance.time * 2.3)) - 0.10 * stance.drift
    var place = hanging(from: head.origin, by: blown)
    let side = max(0, 1 - facing * facing)
    place.origin += forward * (-0.055 * side) + Vector3(0, 0, facing > 0 ? 0.030 : -0.020)
    place.across = place.across * (1 - 0.38 * side)
    return place
  }

  private var scarfParts: [Figure.Part] {
    guard let scarf = body.scarf else { return [] }
    let flutter = Float(0.10 * PortableMath.sin(stance.time * 4.1))
    let blown = -0.55 * stance.drift - (stance.drift < 0 ? -0.15 : 0.15) + flutter
    return [
      Figure.Part(map: scarf, place: hanging(from: neck + across * 0.10 + Vector3(0, 0.05, -0.10), by: 0.06 + flutter)),
      Figure.Part(map: scarf, place: hanging(from: neck - across * 0.12 + Vector3(0, 0.04, -0.06), by: blown)),
    ]
  }

  private var skirtPlace: PartPlacement {
    let blown = -0.10 * stance.drift + Float(0.03 * PortableMath.sin(stance.time * 3.3))
    var place = hanging(from: neck + Vector3(0, 0.46, -0.10), by: blown)
    let turned = (facing * facing + 0.45 * (1 - facing * facing)).squareRoot()
    place.across = place.across * (turned * (1 + 0.10 * swing * stance.stride))
    return place
  }

  /// A plane that faces the camera and hangs, swung to the side by an angle in radians.
  private func hanging(from origin: Vector3, by angle: Float) -> PartPlacement {
    let angle = Double(angle.clamped(-0.9, 0.9))
    let (sine, cosine) = (Float(PortableMath.sin(angle)), Float(PortableMath.cos(angle)))
    return PartPlacement(
      origin: origin, across: Vector3(cosine, -sine, 0), along: Vector3(sine, cosine, 0), outward: Vector3(0, 0, -1))
  }

  /// Upper arm, hand, forearm.
  private func arm(_ side: Float) -> [Figure.Part] {
    let shoulder = neck + across * (0.163 * side) + Vector3(0, 0.083, 0)
    let elbow: Vector3
    let wrist: Vector3
    if stance.isSeated {
      let wave = Float(PortableMath.sin(stance.time * (side < 0 ? 2.1 : 4.6) + Double(side)))
      let out = across * (side * (0.07 + 0.02 * wave))
      elbow = shoulder + (out + Vector3(0, 0.245, 0) + forward * 0.075).normalized * ClothesPainter.upperArmLength
      let up = Vector3(0, -0.35 - 0.35 * max(0, wave), 0)
      wrist = elbow + (up + forward * 0.7 + across * (side * 0.25 * wave)).normalized * ClothesPainter.forearmLength
    } else {
      let angle = -0.5 * swing * side * stance.stride
      let down = Vector3(0, 1, 0) + across * (0.16 * side)
      elbow = shoulder + (down + forward * angle).normalized * ClothesPainter.upperArmLength
      wrist = elbow + (down + forward * (angle + 0.30)).normalized * ClothesPainter.forearmLength
    }
    let isLeft = shoulder.x < neck.x
    let fingers = (wrist - elbow).normalized + Vector3(0.02, 0.1, 0.05)
    return [
      Figure.Part(map: body.person.upperArm, place: .bone(from: shoulder, to: elbow, uRight: isLeft)),
      Figure.Part(map: body.person.hand, place: .bone(from: wrist, to: wrist + fingers, uRight: isLeft)),
      Figure.Part(map: body.person.forearm, place: .bone(from: elbow, to: wrist)),
    ]
  }

  /// Shoe, shin, thigh.
  private func leg(_ side: Float) -> [Figure.Part] {
    let hip = neck + across * (0.085 * side) + Vector3(0, 0.53, 0)
    let phase = stance.gait * 2 * PortableMath.pi + (side < 0 ? PortableMath.pi : 0)
    let thigh = stance.stride * 0.44 * Float(PortableMath.sin(phase))
    let bend = stance.stride * 0.75 * max(0, Float(PortableMath.sin(phase - 1.2)))
    let knee = hip + (Vector3(0, 1, 0) + forward * thigh).normalized * LegPainter.thighLength
    let ankle = knee + (Vector3(0, 1, 0) + forward * (thigh - bend)).normalized * LegPainter.shinLength
    let toes = (forward * 0.85 + Vector3(0, 0.45, 0)).normalized
    return [
      Figure.Part(map: body.shoe, place: .bone(from: ankle, to: ankle + toes)),
      Figure.Part(map: body.shin, place: .bone(from: knee, to: ankle)),
      Figure.Part(map: body.thigh, place: .bone(from: hip, to: knee)),
    ]
  }
}
