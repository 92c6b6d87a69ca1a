import FrameModel
import Kernels
import Parameters
import Support

/// Begins as a face's mask. If the recording begins with an empty scene, the person is what is nearer than that from when
/// somebody comes: `mask.empty-start`.
///
/// The scene is learned from the first depth maps, as long as they have no face and nothing moves in them. Somebody may
/// have sat there still and unseen all the same, so it is given up for good where a face or what comes to light shows that,
/// until a face before it has confirmed it; and when the camera was moved.
final class EmptyStartMask: MaskSource {
  private enum Scene: Comparable {
    case unknown, learned
    /// Something has come.
    case used
    /// A face has come.
    case confirmed
  }

  /// The camera was moved if more than 1 / `moved` of the pixels show something farther; somebody who was in the scene has
  /// got up if more than 1 / `left` do.
  private static let (moved, left) = (8, 100)
  /// Share of the pixels. People who move change 0.07 and more while the scene is learned, a noisy sensor 0.02.
  private static let mostChange = 0.05
  /// A face that is detected where none is, and wrong depth behind what moves, last for a moment.
  private static let mostDoubts = 3

  let face: FaceMask
  /// Nil once it is given up.
  private var plate: PlateMask?
  private var scene = Scene.unknown
  /// Depth maps in a row in which somebody of the scene seems to show.
  private var doubts = 0
  private let distance = FaceDistance()

  var geometry: PlaneGeometry { face.geometry }
  let isSoft = false
  var cutoffMillimeters: UInt16 { leavesOutRoom ? 0 : face.cutoffMillimeters }
  var leavesOutRoom: Bool { scene >= .used }
  var hasFilledGaps: Bool { leavesOutRoom && plate?.hasFilledGaps == true }

  init(_ face: FaceMask, _ plate: PlateMask) {
    (self.face, self.plate) = (face, plate)
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: face.hasMask) else { return face.hasMask ? .held : .missing }
    // Face and movement are followed as long as they may be needed again.
    face.follow(depth, input, withMovement: scene < .confirmed, into: mask, bands: bands)
    if let plate {
      if scene == .unknown { learn(plate, input, into: mask, bands: bands) } else { judge(plate, input, depth) }
    }
    if leavesOutRoom, let plate { return plate.update(input, into: mask, bands: bands) }
    (mask.emptyColors, mask.colors) = (nil, nil)
    face.cut(depth, into: mask, bands: bands)
    return .new
  }

  private func learn(_ plate: PlateMask, _ input: MaskInput, into mask: Mask, bands: BandRunner) {
    guard input.depthFaces.isEmpty, face.movement?.moved == nil else { return giveUp() }
    guard plate.update(input, into: mask, bands: bands) == .new else { return }
    if plate.changedWhileLearning > Self.mostChange { giveUp() } else { scene = .learned }
  }

  private func judge(_ plate: PlateMask, _ input: MaskInput, _ depth: PreparedDepth) {
    let (farther, known) = plate.countFarther(depth.millimeters)
    if farther * Self.moved > known { return giveUp() }
    guard scene < .confirmed else { return }
    let areNearer = input.depthFaces.filter { isWhole($0.box) }.compactMap { face in
      distance.median(of: depth.millimeters, face.box, geometry).flatMap { plate.isNearer($0, face.box, distance) }
    }
    doubts = areNearer.contains(false) || farther * Self.left > known ? doubts + 1 : 0
    if doubts == Self.mostDoubts { return giveUp() }
    guard doubts == 0 else { return }
    if face.movement?.moved != nil { scene = .used }
    if areNearer.contains(true) { scene = .confirmed }
  }

  /// At the picture's edge, a face may lie beside the person's depth.
  private func isWhole(_ box: FaceObservation.Box) -> Bool {
    box.x >= 0 && box.y >= 0 && box.x + box.width <= Double(geometry.videoWidth)
      && box.y + box.height <= Double(geometry.videoHeight)
  }

  private func giveUp() { (plate, scene) = (nil, .unknown) }

  func carryOn(from old: any MaskSource) {
    guard let before = old as? EmptyStartMask else {
      // The start is over.
      if old is FaceMask { giveUp() }
      return face.carryOn(from: old)
    }
    face.carryOn(from: before.face)
    guard let learned = before.plate, learned.geometry == geometry else { return giveUp() }
    plate?.carryOn(from: learned)
    (scene, doubts) = (before.scene, before.doubts)
  }
}
