import FrameModel
import Kernels
import Parameters

/// How far the person reaches: the depth of the first face plus an offset (seed system A.2 and A.3).
///
/// With no face the last cut-off holds. So it does, unless the guard is off, when the face has no depth, or the middle of its
/// box lies outside the depth map; without the guard, the nearest pixel at the edge counts then.
struct FaceCutoff {
  /// Whether a hole in the source is NaN, not 0.
  private let startsFromDisparity: Bool
  private let isGuarded: Bool
  private let offsetMillimeters: Int
  private let startMillimeters: Int
  private var last = Sighting.none
  private let median = DepthMedian()

  /// What the last face with depth said.
  private enum Sighting {
    case none
    case face(UInt16)
    /// A hole that is NaN, unguarded: no distance compares with it.
    case unknown
  }

  init(_ parameters: ParameterSet, startsFromDisparity: Bool) {
    self.startsFromDisparity = startsFromDisparity
    isGuarded = parameters[PipelineParameters.faceSample] == "median"
    offsetMillimeters = Int.millimeters(parameters[PipelineParameters.offset])
    startMillimeters = Int.millimeters(parameters[PipelineParameters.start])
  }

  /// What is nearer or as near is the person; 0: nothing is.
  var millimeters: UInt16 {
    switch last {
    case .none: UInt16(clamping: startMillimeters)
    case .face(let distance): UInt16(clamping: Int(distance) + offsetMillimeters)
    case .unknown: 0
    }
  }

  /// Takes over what another one saw last.
  mutating func carryOn(from old: FaceCutoff) { last = old.last }

  mutating func update(faces: [FaceObservation], depth prepared: PreparedDepth) {
    guard let face = faces.first else { return }
    let depth = prepared.millimeters
    if isGuarded {
      if let median = medianDepth(face.box, prepared) { last = .face(median) }
      return
    }
    // The original reads one pixel and trusts it (A.3): a hole that is 0 puts the cut-off at the bare offset, one that is
    // NaN makes everything background.
    let center = prepared.geometry.point(videoX: face.box.centerX, videoY: face.box.centerY)
    guard let x = Self.pixel(center.x, depth.width), let y = Self.pixel(center.y, depth.height) else {
      return
    }
    let value = depth.row(y)[x]
    last = value == 0 && startsFromDisparity ? .unknown : .face(value)
  }

  /// Rounded and brought into the image; nil for a coordinate that is no number.
  private static func pixel(_ coordinate: Double, _ length: Int) -> Int? {
    guard coordinate.isFinite else { return nil }
    let last = Double(length - 1)
    return Int(min(max(coordinate.rounded(.toNearestOrAwayFromZero), 0), last))
  }

  /// Of the measured pixels in the middle half of the box, each way, as far as it lies over the depth map; the lower one of
  /// an even number. Nil for none.
  private func medianDepth(_ box: FaceObservation.Box, _ prepared: PreparedDepth) -> UInt16? {
    let (geometry, depth) = (prepared.geometry, prepared.millimeters)
    let from = geometry.point(videoX: box.x + box.width * 0.25, videoY: box.y + box.height * 0.25)
    let to = geometry.point(videoX: box.x + box.width * 0.75, videoY: box.y + box.height * 0.75)
    guard from.x <= Double(depth.width), from.y <= Double(depth.height), to.x >= 0, to.y >= 0,
      let left = Self.pixel(from.x, depth.width), let right = Self.pixel(to.x, depth.width),
      let top = Self.pixel(from.y, depth.height), let bottom = Self.pixel(to.y, depth.height),
      left <= right, top <= bottom
    else { return nil }
    return median.lower(of: depth, columns: left...right, rows: top...bottom)
  }
}
