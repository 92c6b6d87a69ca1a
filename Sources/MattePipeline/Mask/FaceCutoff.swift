import FrameModel
import Kernels
import Parameters

/// How far the person reaches: the depth of the first face plus an offset (seed system A.2 and A.3).
///
/// With no face the last cut-off holds. So it does, unless the guard is off, when the face has no depth.
struct FaceCutoff {
  /// Whether a hole in the source is NaN, not 0.
  private let startsFromDisparity: Bool
  private let isGuarded: Bool
  private let offsetMillimeters: Int
  /// What is nearer or as near is the person; 0: nothing is.
  private(set) var millimeters: UInt16
  private var samples: [UInt16] = []

  init(_ parameters: ParameterSet, startsFromDisparity: Bool) {
    self.startsFromDisparity = startsFromDisparity
    isGuarded = parameters[PipelineParameters.faceSample] == "median"
    offsetMillimeters = Self.millimeters(parameters[PipelineParameters.offset])
    millimeters = UInt16(clamping: Self.millimeters(parameters[PipelineParameters.start]))
  }

  private static func millimeters(_ meters: Double) -> Int {
    Int((meters * 1000).rounded(.toNearestOrAwayFromZero))
  }

  mutating func update(faces: [FaceObservation], depth prepared: PreparedDepth) {
    guard let face = faces.first else { return }
    let depth = prepared.millimeters
    if isGuarded {
      if let median = medianDepth(face.box, prepared) { setCutoff(behind: median) }
      return
    }
    // The original reads one pixel and trusts it (A.3): a hole that is 0 puts the cut-off at the bare offset, one that is
    // NaN makes everything background.
    let center = prepared.geometry.point(videoX: face.box.centerX, videoY: face.box.centerY)
    guard let x = Self.pixel(center.x, depth.width), let y = Self.pixel(center.y, depth.height) else {
      return
    }
    let value = depth.row(y)[x]
    if value == 0 && startsFromDisparity {
      millimeters = 0
    } else {
      setCutoff(behind: value)
    }
  }

  private mutating func setCutoff(behind face: UInt16) {
    millimeters = UInt16(clamping: Int(face) + offsetMillimeters)
  }

  /// Rounded and brought into the image; nil for a coordinate that is no number.
  private static func pixel(_ coordinate: Double, _ length: Int) -> Int? {
    guard coordinate.isFinite else { return nil }
    let last = Double(length - 1)
    return Int(min(max(coordinate.rounded(.toNearestOrAwayFromZero), 0), last))
  }

  /// Of the measured pixels in the middle half of the box, each way; the lower one of an even number. Nil for none.
  private mutating func medianDepth(_ box: FaceObservation.Box, _ prepared: PreparedDepth) -> UInt16? {
    let (geometry, depth) = (prepared.geometry, prepared.millimeters)
    let from = geometry.point(videoX: box.x + box.width * 0.25, videoY: box.y + box.height * 0.25)
    let to = geometry.point(videoX: box.x + box.width * 0.75, videoY: box.y + box.height * 0.75)
    guard let left = Self.pixel(from.x, depth.width), let right = Self.pixel(to.x, depth.width),
      let top = Self.pixel(from.y, depth.height), let bottom = Self.pixel(to.y, depth.height),
      left <= right, top <= bottom
    else { return nil }
    samples.removeAll(keepingCapacity: true)
    for y in top...bottom {
      let row = depth.row(y)
      for x in left...right where row[x] != 0 { samples.append(row[x]) }
    }
    guard !samples.isEmpty else { return nil }
    samples.sort()
    return samples[(samples.count - 1) / 2]
  }
}
