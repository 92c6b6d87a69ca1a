import FrameModel
import GRDB
import Support

// Ranges of frames, found with a few reads however long the recording is.
extension Recording {
  /// The first frame set whose master frame was taken at a time or later; their count when there is none.
  package func firstFrameSet(from time: PresentationTime) throws(RetakeError) -> Int {
    try index.read { database in
      let taken = try database.cachedStatement(
        sql: """
          SELECT frame.presentation_ns FROM frame_set JOIN frame ON frame.stream = ? AND frame.number = master_frame
          WHERE frame_set.number = ?
          """)
      // Times of master frames grow with the numbers of their sets.
      var low = 0
      var high = try IndexDatabase.frameSetCount(database)
      while low < high {
        let middle = (low + high) / 2
        guard let row = try Row.fetchOne(taken, arguments: [self.masterStream, middle]) else {
          throw RetakeError(
            .corrupt, "The index of \(self.folder.path) lacks frame set \(middle).",
            hint: "'retake recover' makes the index again from the chunk files")
        }
        if try row.integer(0) < time.nanoseconds { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// When the first frame of a stream was taken; nil where it has none.
  func firstPresentation(stream: Int) throws(RetakeError) -> PresentationTime? {
    try index.read { database in
      try Row.fetchOne(
        database,
        sql: "SELECT presentation_ns FROM frame WHERE stream = ? ORDER BY presentation_ns LIMIT 1",
        arguments: [stream])?.optionalTime(0)
    }
  }

  /// The numbers from the first frame of a stream that was taken in a span to behind the last.
  func frameNumbers(stream: Int, from start: PresentationTime, to end: PresentationTime) throws(RetakeError)
    -> Range<Int>
  {
    try index.read { database in
      // Times of a stream grow with its numbers.
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

  /// The first and the last frame of a stream that belong to frame sets, and their neighbours in the sets before and
  /// after.
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
      // What lies outside belongs to other sets.
      guard let first, let last, first <= last, first != after, last != before else { return (before, nil, nil, after) }
      return (before, first, last, after)
    }
  }
}
