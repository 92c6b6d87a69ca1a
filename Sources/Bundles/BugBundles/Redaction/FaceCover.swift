import FrameModel

/// Where faces are, or may be, in each of some frames that follow each other.
///
/// Detectors miss: they do not come to look at every frame, and overlook a face now and then. What is not known is covered,
/// not shown:
/// - Between two looks a face is anywhere in the rectangle around its boxes before and after.
/// - A face that was seen and is overlooked is taken to be there for `overlookedLimit` looks more, and so many before it was
///   first seen. It counts as seen again only by a box of its own that lies much as it did: a neighbour that overlaps it, or
///   a small box within it that is no face, does not uncover it.
/// - Where nobody looked at more than `unseenLimit` frames in a row, or there are more faces than `faceLimit`, they may be
///   anywhere.
enum FaceCover {
  typealias Box = FaceObservation.Box

  enum Look: Hashable {
    case seen([Box])
    /// Nobody looked, or nobody could.
    case none
  }

  enum Area: Hashable {
    case boxes([Box])
    case everything
  }

  /// Looks: about a second.
  static let overlookedLimit = 30
  /// Frames.
  static let unseenLimit = 30
  /// More than a camera can tell apart; what claims more is not worth the time.
  static let faceLimit = 64
  /// Frames before and after a part that say what may be in it.
  static let contextLength = 256

  /// The overlap, of 0 to 1, from which on a box is taken for that of the same face a look earlier.
  static let sameFaceOverlap = 0.4
  /// The share of a box from which on another that holds so much of it is taken for that of the same face.
  static let sameFaceShare = 0.8

  static func areas(_ looks: [Look]) -> [Area] {
    let before = heldBoxes(looks)
    let after = Array(heldBoxes(looks.reversed()).reversed())
    let unseen = unseenRunLengths(looks)
    return looks.indices.map { index in
      var own: [Box] = []
      if case .seen(let boxes) = looks[index] { own = boxes }
      let all = own + before[index] + after[index]
      // A box that is no rectangle says that there is a face, and not where.
      guard unseen[index] <= unseenLimit, all.count <= faceLimit, all.allSatisfy({ $0.isRectangle }) else {
        return .everything
      }
      return .boxes(own + joined(before[index], after[index]))
    }
  }

  /// For each look the boxes of faces that were seen before it and not in it.
  private static func heldBoxes(_ looks: [Look]) -> [[Box]] {
    var held: [(box: Box, overlooked: Int)] = []
    return looks.map { look in
      guard case .seen(let boxes) = look else { return held.map(\.box) }
      held = held.filter { $0.overlooked < overlookedLimit }
      // Each box stands for one face, so it takes the place of one box at most: of the one that lies most as it does.
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
      // What one look can add is bounded, and with it the time that all take.
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

  /// Each box before with the nearest after, and each after with the nearest before: which face is which is not known.
  private static func joined(_ before: [Box], _ after: [Box]) -> [Box] {
    guard !before.isEmpty, !after.isEmpty else { return before + after }
    return before.map { $0.around($0.nearest(of: after)) } + after.map { $0.around($0.nearest(of: before)) }
  }
}

extension FaceObservation.Box {
  /// Whether this can be the box, a look later, of the face that had the other.
  fileprivate func isSameFace(as other: Self) -> Bool {
    let across = min(x + width, other.x + other.width) - max(x, other.x)
    let down = min(y + height, other.y + other.height) - max(y, other.y)
    guard isRectangle, other.isRectangle, across > 0, down > 0 else { return false }
    return overlap(with: other) >= FaceCover.sameFaceOverlap
      || across * down >= FaceCover.sameFaceShare * other.width * other.height
  }

  /// The rectangle around both.
  fileprivate func around(_ other: Self) -> Self {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Self(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// - Parameter others: at least one; of two that are equally near the first.
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
