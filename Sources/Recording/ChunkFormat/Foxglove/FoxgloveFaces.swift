import FrameModel
import Support

/// Faces as viewers draw them: a closed outline of four corners each.
extension Foxglove.PointsAnnotation {
  init(_ box: FaceObservation.Box, at time: Foxglove.Time) {
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    let corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
    self.init(
      timestamp: time, type: Self.lineLoop, points: corners.map { Foxglove.Point2(x: $0.0, y: $0.1) },
      outlineColor: Foxglove.Color(red: 0.2, green: 1, blue: 0.2, alpha: 1), thickness: 2)
  }

  /// Nil for anything that is not such an outline.
  var box: FaceObservation.Box? {
    guard type == Self.lineLoop, points.count == 4,
      points.allSatisfy({ abs($0.x) <= Self.largestCoordinate && abs($0.y) <= Self.largestCoordinate })
    else { return nil }
    let (first, third) = (points[0], points[2])
    guard points[1] == Foxglove.Point2(x: third.x, y: first.y), points[3] == Foxglove.Point2(x: first.x, y: third.y),
      third.x > first.x, third.y > first.y
    else { return nil }
    return .init(x: first.x, y: first.y, width: third.x - first.x, height: third.y - first.y)
  }

  /// Pixels; a box may exceed its frame.
  private static let largestCoordinate = 1e6
}

extension Foxglove {
  /// Boxes of the faces in a message of ImageAnnotations. What else it draws is left out.
  /// - Throws: `.corrupt` for a message that does not match its schema, or has more than a frame can have.
  package static func boxes(inAnnotations bytes: UnsafeRawBufferPointer) throws(RetakeError) -> [FaceObservation.Box] {
    try ImageAnnotations(reading: bytes).points.compactMap(\.box)
  }
}
