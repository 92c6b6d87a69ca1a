import FrameModel
import Kernels
import Parameters

/// The distance up to which pixels are the person: the first face's plus an offset (A.2, A.3).
///
/// Without a face the last cut-off stays, unless `mask.without-face` asks for what is nearest. With
/// the guard (`mask.face-sample=median`), the last cut-off also stays for a face without depth or
/// outside the depth map. Without the guard, such a face reads the nearest pixel at the edge.
package struct FaceCutoff {
  /// Raw values are those of `mask.face-sample`.
  package enum Sample: String, ParameterChoice {
    case median
    case centerPixel = "center-pixel"
  }

  /// Raw values are those of `mask.without-face`.
  package enum WithoutFace: String, ParameterChoice {
    case last, nearest
  }

  /// Whether holes in the source are NaN rather than 0.
  private let startsFromDisparity: Bool
  private let isGuarded: Bool
  private let offsetMillimeters: Int
  private let startMillimeters: Int
  private var last = Sighting.none
  /// Just behind what moves; 0 if nothing does.
  private var behindMovement: UInt16 = 0
  /// Whether what moves counted in the last update.
  private(set) var hasMovement = false
  private let distance = FaceDistance()
  /// Nil if the last cut-off holds without a face.
  private let nearest: NearestSurface?

  private enum Sighting {
    case none
    case face(UInt16)
    /// Without a face: behind what moves, or else behind what is nearest.
    case nearest(UInt16)
    /// A NaN hole, without the guard: no distance is less than or equal to NaN.
    case unknown
  }

  init(_ parameters: ParameterSet, startsFromDisparity: Bool) {
    self.startsFromDisparity = startsFromDisparity
    isGuarded = parameters[PipelineParameters.mask.faceSample] == .median
    offsetMillimeters = Int.millimeters(parameters[PipelineParameters.mask.offset])
    startMillimeters = Int.millimeters(parameters[PipelineParameters.mask.start])
    nearest = parameters[PipelineParameters.mask.withoutFace] == .nearest ? NearestSurface() : nil
  }

  /// Pixels at or nearer than this are the person; 0 for none.
  var millimeters: UInt16 {
    switch last {
    case .none: UInt16(clamping: startMillimeters)
    case .face(let distance): max(UInt16(clamping: Int(distance) + offsetMillimeters), behindMovement)
    case .nearest(let distance): distance
    case .unknown: 0
    }
  }

  mutating func restart() { (last, behindMovement) = (.none, 0) }

  mutating func carryOn(from old: FaceCutoff) { (last, behindMovement) = (old.last, old.behindMovement) }

  mutating func update(faces: [FaceObservation], depth prepared: PreparedDepth, movement: Movement?) {
    behindMovement = movement?.distanceBehind ?? 0
    hasMovement = true
    guard let face = faces.first else {
      let surface = nearest?.surface(in: prepared.millimeters)
      hasMovement = movement?.isSomebody(besides: surface) ?? false
      if hasMovement {
        last = .nearest(behindMovement)
      } else if let surface {
        last = .nearest(surface.distance)
      }
      return
    }
    let depth = prepared.millimeters
    if isGuarded {
      if let median = distance.median(of: depth, face.box, prepared.geometry) { last = .face(median) }
      return
    }
    // The original trusts one pixel (A.3): a hole of 0 leaves the offset alone as the cut-off, and
    // NaN makes everything background.
    let center = prepared.geometry.point(videoX: face.box.centerX, videoY: face.box.centerY)
    guard let x = FaceDistance.pixel(center.x, depth.width), let y = FaceDistance.pixel(center.y, depth.height) else {
      return
    }
    let value = depth.row(y)[x]
    last = value == 0 && startsFromDisparity ? .unknown : .face(value)
  }
}
