/// When a hole shows the depth that was measured there last, by the codes of librealsense. What is counted are the frames
/// before the one with the hole.
package enum DepthPersistence: Int, CaseIterable, Sendable {
  case never
  case validIn8OfLast8
  case validIn2OfLast3
  case validIn2OfLast4
  case validIn2OfLast8
  case validIn1OfLast2
  case validIn1OfLast5
  case validIn1OfLast8
  case always

  /// Of so many of the last frames at least so many were measured; 9 of none: never.
  package var rule: (atLeast: Int, window: Int) {
    switch self {
    case .never: (9, 0)
    case .validIn8OfLast8: (8, 8)
    case .validIn2OfLast3: (2, 3)
    case .validIn2OfLast4: (2, 4)
    case .validIn2OfLast8: (2, 8)
    case .validIn1OfLast2: (1, 2)
    case .validIn1OfLast5: (1, 5)
    case .validIn1OfLast8: (1, 8)
    case .always: (0, 0)
    }
  }
}
