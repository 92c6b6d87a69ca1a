import FrameModel

/// The areas of consecutive frames that show faces or may show them.
///
/// Detectors skip frames and miss faces. What is unknown is covered:
/// - Between two examined frames, a face may be anywhere in the rectangle around its two boxes.
/// - A missed face is assumed to be there for `overlookedLimit` more examined frames, and for as
///   many before it was first seen. Only a box of its own in much the same place counts as seen
///   again, not an overlapping neighbour or a small false detection inside.
/// - The whole frame is covered where more than `unseenLimit` frames in a row were not examined, or
///   where there are more than `faceLimit` faces.
package enum FaceCover {
  package typealias Box = FaceObservation.Box

  package enum Look: Hashable {
    /// - Parameter held: where faces that were not seen in the frame were last.
    case seen([Box], held: [Box] = [])
    /// The frame was not examined.
    case none

    var seesFace: Bool {
      if case .seen(let boxes, _) = self { return !boxes.isEmpty }
      return false
    }
  }

  package enum Area: Hashable {
    case boxes([Box])
    case everything
  }

  /// Examined frames, about a second.
  package static let overlookedLimit = 30
  /// Frames.
  package static let unseenLimit = 30
  /// More than a camera can resolve.
  package static let faceLimit = 64
  /// Frames before and after a page that affect its areas.
  static let contextLength = 256

  /// Smallest overlap, 0 to 1, with an earlier box of the same face.
  static let sameFaceOverlap = 0.4
  /// Smallest share of an earlier box of the same face that a box covers.
  static let sameFaceShare = 0.8

  package static func areas(_ looks: [Look]) -> [Area] {
    let before = heldBoxes(looks)
    let after = Array(heldBoxes(looks.reversed()).reversed())
    let unseen = unseenRunLengths(looks)
    return looks.indices.map { index in
      var own: [Box] = []
      if case .seen(let boxes, let held) = looks[index] { own = boxes + held }
      let all = own + before[index] + after[index]
      // A box that is not a rectangle: there is a face, but its position is unknown.
      guard unseen[index] <= unseenLimit, all.count <= faceLimit, all.allSatisfy({ $0.isRectangle }) else {
        return .everything
      }
      return .boxes(own + joined(before[index], after[index]))
    }
  }

  /// For each frame, the boxes of faces that were seen before it and not in it.
  private static func heldBoxes(_ looks: [Look]) -> [[Box]] {
    var held: [(box: Box, overlooked: Int)] = []
    return looks.map { look in
      guard case .seen(let boxes, _) = look else { return held.map(\.box) }
      held = held.filter { $0.overlooked < overlookedLimit }
      // Each box replaces at most one earlier box: the one with the most overlap.
      for box in boxes.prefix(faceLimit) {
        var best: (index: Int, overlap: Double)? = nil
        for index in held.indices where box.isSameFace(as: held[index].box) {
          let overlap = box.overlap(with: held[index].box)
          if let known = best, known.overlap >= overlap { continue }
          best = (index, overlap)
        }
        if let best { held.remove(at: best.index) }
      }
      for index in held.indices { held[index].overlooked += 1 }
      // Bounds what one frame can add, and with it the run time.
      defer { held += boxes.prefix(faceLimit).map { ($0, 0) } }
      return held.map(\.box)
    }
  }

  private static func unseenRunLengths(_ looks: [Look]) -> [Int] {
    var lengths = looks.map { _ in 0 }
    var begin = 0
    for index in looks.indices where looks[index] == .none {
      if index == 0 || looks[index - 1] != .none { begin = index }
      guard index + 1 == looks.count || looks[index + 1] != .none else { continue }
      for member in begin...index { lengths[member] = index + 1 - begin }
    }
    return lengths
  }

  /// Joins each box with the nearest on the other side, since it is unknown which face is which.
  private static func joined(_ before: [Box], _ after: [Box]) -> [Box] {
    guard !before.isEmpty, !after.isEmpty else { return before + after }
    return before.map { $0.around($0.nearest(of: after)) } + after.map { $0.around($0.nearest(of: before)) }
  }
}

extension FaceObservation.Box {
  /// Whether this may be the other box's face, one examined frame later.
  fileprivate func isSameFace(as other: Self) -> Bool {
    let across = min(x + width, other.x + other.width) - max(x, other.x)
    let down = min(y + height, other.y + other.height) - max(y, other.y)
    guard isRectangle, other.isRectangle, across > 0, down > 0 else { return false }
    return overlap(with: other) >= FaceCover.sameFaceOverlap
      || across * down >= FaceCover.sameFaceShare * other.width * other.height
  }

  /// The smallest rectangle that contains both.
  fileprivate func around(_ other: Self) -> Self {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Self(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// - Parameter others: at least one; of equally near ones the first is returned.
  fileprivate func nearest(of others: [Self]) -> Self {
    var best = others[0]
    for other in others.dropFirst() where squaredDistance(to: other) < squaredDistance(to: best) { best = other }
    return best
  }

  private func squaredDistance(to other: Self) -> Double {
    let (across, down) = (other.centerX - centerX, other.centerY - centerY)
    return across * across + down * down
  }
}
