/// librealsense's codes for when a hole shows its last measurement. Only earlier frames count.
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

  /// At least this many of the last `window` frames must be measured; 9 of 0 means never.
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
