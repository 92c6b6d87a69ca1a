import FrameModel
import Support

/// A body part's plane. A point at (u, v, height) is origin + u·across + v·along + height·outward.
struct PartPlacement: Sendable {
  var origin: Vector3
  var across: Vector3
  var along: Vector3
  /// Towards the viewer.
  var outward: Vector3

  func point(_ u: Float, _ v: Float, _ height: Float) -> Vector3 {
    origin + across * u + along * v + outward * height
  }

  /// A bone's plane, turned to the viewer as far as possible, with u to the image's right or left.
  static func bone(from start: Vector3, to end: Vector3, uRight: Bool = true) -> PartPlacement {
    let along = (end - start).normalized
    let viewer = (start * -1).normalized
    let outward = (viewer - along * viewer.dot(along)).normalized
    let across = outward.cross(along)
    // Mirrored for the other hand. Lighting uses these axes, so its normals are mirrored too.
    return PartPlacement(
      origin: start, across: uRight == (across.x > 0) ? across : across * -1, along: along,
      outward: outward)
  }
}

struct PersonPose: Sendable {
  let torso: PartPlacement
  let head: PartPlacement
  /// The image's left one first.
  let upperArms: [PartPlacement]
  let forearms: [PartPlacement]
  let hands: [PartPlacement]
  /// Radians, with `FaceObservation`'s signs.
  let roll: Double
  let pitch: Double
  let yaw: Double

  /// - Parameter time: seconds since the first frame; the seed shifts the phases of movements.
  init(time: Double, seed: UInt64) {
    /// A sine between −1 and 1 with a period in seconds.
    func swing(_ period: Double, _ channel: UInt64) -> Double {
      let phase = Double(SeededGenerator.hash(seed, 0x504F_5345, channel) >> 11) * 0x1p-53
      let turns = time / period + phase
      return PortableMath.sin((turns - turns.rounded(.down)) * 2 * PortableMath.pi)
    }
    yaw = 0.16 * swing(7.3, 1) + 0.05 * swing(2.9, 2)
    pitch = 0.09 * swing(5.9, 3) + 0.04 * swing(2.3, 4)
    roll = 0.09 * swing(8.7, 5) + 0.03 * swing(3.1, 6)

    let lean = 0.035 * swing(9.7, 7)
    let base = Vector3(
      Float(0.045 * swing(9.7, 7) + 0.012 * swing(3.7, 8)), Float(0.070 + 0.006 * swing(3.3, 9)),
      Float(0.96 + 0.045 * swing(11.9, 10)))
    torso = Self.turned(origin: base, roll: lean, pitch: 0, yaw: 0.10 * swing(7.3, 1))
    var head = Self.turned(origin: base, roll: roll, pitch: pitch, yaw: yaw)
    // The head turns on the top of the neck.
    head.origin = base + torso.along * -0.050 + head.along * -0.097 + Vector3(0, 0, -0.012)
    self.head = head

    var upperArms: [PartPlacement] = []
    var forearms: [PartPlacement] = []
    var hands: [PartPlacement] = []
    let angles = [-0.62 + 0.34 * swing(4.3, 11), 0.16 + 0.33 * swing(1.3, 12)]
    let raised = [0.55 + 0.12 * swing(6.1, 13), 0.72 + 0.08 * swing(2.6, 14)]
    for (index, sign) in [Float(-1), 1].enumerated() {
      let shoulder = torso.point(sign * 0.163, 0.083, 0.004)
      let outwards = Float(0.06 + 0.02 * swing(5.3, 15 + UInt64(index)))
      let elbow =
        shoulder + Vector3(sign * outwards, 0.245, -0.075).normalized * ClothesPainter.upperArmLength
      let sine = Float(PortableMath.sin(angles[index]))
      let cosine = Float(PortableMath.cos(angles[index]))
      let upright = Float(raised[index])
      // Rotated by the angle in the image plane, and tipped towards the camera.
      let direction = Vector3(sine * upright, -cosine * upright, -(1 - upright * upright).squareRoot())
        .normalized
      let wrist = elbow + direction * ClothesPainter.forearmLength
      let flap = Float(0.25 * swing(1.3, 17 + UInt64(index)))
      let fingers = (direction + Vector3(flap * cosine, flap * sine - 0.5, 0.35)).normalized
      // The sleeve's map has the body on its right.
      upperArms.append(.bone(from: shoulder, to: elbow, uRight: sign < 0))
      forearms.append(.bone(from: elbow, to: wrist))
      hands.append(.bone(from: wrist, to: wrist + fingers, uRight: sign < 0))
    }
    self.upperArms = upperArms
    self.forearms = forearms
    self.hands = hands
  }

  /// A camera-facing plane turned by pitch, then yaw, then roll.
  static func turned(origin: Vector3, roll: Double, pitch: Double, yaw: Double) -> PartPlacement {
    let sinYaw = Float(PortableMath.sin(yaw))
    let cosYaw = Float(PortableMath.cos(yaw))
    let sinPitch = Float(PortableMath.sin(pitch))
    let cosPitch = Float(PortableMath.cos(pitch))
    let across = Vector3(cosYaw, 0, sinYaw)
    let outward = Vector3(sinYaw * cosPitch, sinPitch, -cosYaw * cosPitch)
    let along = across.cross(outward)
    let sinRoll = Float(PortableMath.sin(roll))
    let cosRoll = Float(PortableMath.cos(roll))
    func rolled(_ v: Vector3) -> Vector3 {
      Vector3(v.x * cosRoll - v.y * sinRoll, v.x * sinRoll + v.y * cosRoll, v.z)
    }
    return PartPlacement(
      origin: origin, across: rolled(across), along: rolled(along), outward: rolled(outward))
  }

  /// The face from mid-forehead to chin, square like a cascade's rectangle, in pixels.
  static func faceBox(of head: PartPlacement, in lens: Pinhole) -> FaceObservation.Box {
    let middle = head.point(0, 0.016, 0.085)
    let center = lens.project(middle)
    let half = 0.082 / middle.z
    let width = Double(2 * half * lens.focalX)
    let height = Double(2 * half * lens.focalY)
    return FaceObservation.Box(
      x: Double(center.x) - width / 2, y: Double(center.y) - height / 2, width: width, height: height)
  }
}
