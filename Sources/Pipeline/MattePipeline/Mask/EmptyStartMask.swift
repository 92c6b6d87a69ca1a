import FrameModel
import Kernels
import Parameters
import Support

/// Begins as a face's mask. If the recording begins with an empty scene, the person is what is nearer than that from the
/// first face or movement on: `mask.empty-start`.
///
/// The scene is learned from the first depth maps, as long as they have no face and no movement. A person who sat still
/// may be part of it. So, until a face nearer than it confirms it, it is given up for good where a face is not nearer, or
/// where much becomes farther, as when that person gets up. It is also given up when the camera was moved.
final class EmptyStartMask: MaskSource {
  private enum Scene: Comparable {
    case unknown, learned
    /// Movement was seen.
    case used
    /// A face nearer than it was seen.
    case confirmed
  }

  /// The camera was moved if more than 1 / `moved` of the pixels became farther; a person who was in the scene got up if
  /// more than 1 / `left` did.
  private static let (moved, left) = (8, 100)
  /// Share of the pixels. People who move change 0.07 and more while the scene is learned, a noisy sensor 0.02.
  private static let mostChange = 0.05
  /// A face that is detected where none is, and wrong depth behind what moves, last for a moment.
  private static let mostDoubts = 3

  let face: FaceMask
  /// Nil once it is given up.
  private var plate: PlateMask?
  private var scene = Scene.unknown
  /// Depth maps in a row that say that a person was in the scene.
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

  /// Whether the face's movement is that of the last depth map. A confirmed scene does without.
  var followsMovement: Bool { scene < .confirmed }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: face.hasMask) else { return face.hasMask ? .held : .missing }
    var farther = (farther: 0, known: 0)
    if scene > .unknown, let plate { farther = plate.countFarther(depth.millimeters) }
    if farther.farther * Self.moved > farther.known { giveUp() }
    // The face is followed as long as it may be needed again.
    face.follow(depth, input, withMovement: followsMovement, into: mask, bands: bands)
    if let plate {
      if scene == .unknown {
        learn(plate, input, into: mask, bands: bands)
      } else if scene < .confirmed, input.newDepth != nil {
        judge(plate, input, depth, isFarther: farther.farther * Self.left > farther.known)
      }
    }
    if leavesOutRoom, let plate { return plate.update(input, into: mask, bands: bands) }
    (mask.emptyColors, mask.colors) = (nil, nil)
    face.cut(depth, into: mask, bands: bands)
    return .new
  }

  private func learn(_ plate: PlateMask, _ input: MaskInput, into mask: Mask, bands: BandRunner) {
    guard input.newDepth != nil else { return }
    // After a change of parameters the start may be over.
    let isStart = input.depthCount == plate.seenCount + 1
    guard isStart, input.depthFaces.isEmpty, face.movement?.moved == nil else { return giveUp() }
    guard plate.update(input, into: mask, bands: bands) == .new else { return }
    if plate.changedWhileLearning > Self.mostChange { giveUp() } else { scene = .learned }
  }

  private func judge(_ plate: PlateMask, _ input: MaskInput, _ depth: PreparedDepth, isFarther: Bool) {
    var (isConfirmed, isDoubted) = (false, isFarther)
    for face in input.depthFaces where isWhole(face.box) {
      guard let here = distance.median(of: depth.millimeters, face.box, geometry),
        let isNearer = plate.isNearer(here, face.box, distance)
      else { continue }
      if isNearer { isConfirmed = true } else { isDoubted = true }
    }
    doubts = isDoubted ? doubts + 1 : 0
    if doubts == Self.mostDoubts { return giveUp() }
    guard !isDoubted else { return }
    if face.moved != nil { scene = .used }
    if isConfirmed { scene = .confirmed }
  }

  /// At the picture's edge, a face may lie beside the person's depth.
  private func isWhole(_ box: FaceObservation.Box) -> Bool {
    box.x >= 0 && box.y >= 0 && box.x + box.width <= Double(geometry.videoWidth)
      && box.y + box.height <= Double(geometry.videoHeight)
  }

  private func giveUp() {
    if !followsMovement { face.movement?.restart() }
    (plate, scene) = (nil, .unknown)
  }

  func carryOn(from old: any MaskSource) {
    face.carryOn(from: old)
    guard let before = old as? EmptyStartMask else { return }
    guard let learned = before.plate, learned.geometry == geometry else { return giveUp() }
    plate?.carryOn(from: learned)
    (scene, doubts) = (before.scene, before.doubts)
  }
}
