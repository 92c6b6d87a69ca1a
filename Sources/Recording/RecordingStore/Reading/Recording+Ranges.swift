import FrameModel
import GRDB
import Support

// Ranges of frames, found with a few reads regardless of the recording's length.
extension Recording {
  /// The first frame set whose master frame was taken at `time` or later, or the number of sets.
  package func firstFrameSet(from time: PresentationTime) throws(RetakeError) -> Int {
    try index.read { database in
      let taken = try database.cachedStatement(
        sql: """
          SELECT frame.presentation_ns FROM frame_set JOIN frame ON frame.stream = ? AND frame.number = master_frame
          WHERE frame_set.number = ?
          """)
      // Master frame times increase with the set number.
      var low = 0
      var high = try IndexDatabase.frameSetCount(database)
      while low < high {
        let middle = (low + high) / 2
        guard let row = try Row.fetchOne(taken, arguments: [self.masterStream, middle]) else {
          throw RetakeError(
            .corrupt, "The index of \(self.folder.path) lacks frame set \(middle).",
            hint: "'retake recover' rebuilds the index from the chunk files")
        }
        if try row.integer(0) < time.nanoseconds { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  func firstPresentation(stream: Int) throws(RetakeError) -> PresentationTime? {
    try index.read { database in
      try Row.fetchOne(
        database,
        sql: "SELECT presentation_ns FROM frame WHERE stream = ? ORDER BY presentation_ns LIMIT 1",
        arguments: [stream])?.optionalTime(0)
    }
  }

  /// Frame numbers of a stream in a time span, by default of all of it, from the first up to after the last.
  func frameNumbers(
    stream: Int, from start: PresentationTime = PresentationTime(nanoseconds: .min),
    to end: PresentationTime = PresentationTime(nanoseconds: .max)
  ) throws(RetakeError) -> Range<Int> {
    try index.read { database in
      // Times of a stream increase with the frame number.
      func first(from time: PresentationTime) throws -> Int? {
        try Row.fetchOne(
          database,
          sql: """
            SELECT number FROM frame WHERE stream = ? AND presentation_ns >= ? ORDER BY presentation_ns, number LIMIT 1
            """, arguments: [stream, time.nanoseconds]
        ).map { try $0.integer(0, in: 0...RecordingLimits.count) }
      }
      guard let low = try first(from: start) else { return 0..<0 }
      if let high = try first(from: end) { return low..<max(low, high) }
      let last = try Row.fetchOne(
        database, sql: "SELECT number FROM frame WHERE stream = ? ORDER BY number DESC LIMIT 1", arguments: [stream])
      return low..<max(low, try last?.integer(0, in: 0...RecordingLimits.count) ?? low) + 1
    }
  }

  /// The first and the last frame of a stream that are there, of a range of numbers.
  func presentNumbers(stream: Int, in numbers: Range<Int>) throws(RetakeError) -> (first: Int, last: Int)? {
    try index.read { database in
      func number(_ order: String) throws -> Int? {
        try Row.fetchOne(
          database,
          sql:
            "SELECT number FROM frame WHERE stream = ? AND number >= ? AND number < ? ORDER BY number \(order) LIMIT 1",
          arguments: [stream, numbers.lowerBound, numbers.upperBound]
        ).map { try $0.integer(0, in: 0...RecordingLimits.count) }
      }
      guard let first = try number("ASC"), let last = try number("DESC") else { return nil }
      return (first, last)
    }
  }

  /// First and last frame of a stream in the given frame sets, and the nearest ones outside.
  func partnerNumbers(stream: Int, frameSets: Range<Int>) throws(RetakeError) -> (
    before: Int?, first: Int?, last: Int?, after: Int?
  ) {
    try index.read { database in
      func number(_ condition: String, _ bound: Int) throws -> Int? {
        try Row.fetchOne(
          database, sql: "SELECT frame FROM partner WHERE stream = ? AND \(condition) LIMIT 1",
          arguments: [stream, bound]
        ).map { try $0.integer(0, in: 0...RecordingLimits.count) }
      }
      let before = try number("frame_set < ? ORDER BY frame_set DESC", frameSets.lowerBound)
      let after = try number("frame_set >= ? ORDER BY frame_set", frameSets.upperBound)
      guard !frameSets.isEmpty else { return (before, nil, nil, after) }
      let first = try number("frame_set >= ? ORDER BY frame_set", frameSets.lowerBound)
      let last = try number("frame_set < ? ORDER BY frame_set DESC", frameSets.upperBound)
      // A frame that is also in a set outside belongs there.
      guard let first, let last, first <= last, first != after, last != before else { return (before, nil, nil, after) }
      return (before, first, last, after)
    }
  }
}
