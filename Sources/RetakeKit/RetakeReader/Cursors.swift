internal import RecordingStore
package import Support

package typealias InsideError = Support.RetakeError

/// Reads a stream's frames, each when it is asked for. Serves one thread; several cursors can read
/// at the same time.
public final class FrameCursor {
  private static let pageLength = 256
  private let recording: Recording
  private let stream: Int
  private let reader: FrameReader
  private var rows: ArraySlice<FrameRow> = []
  private var nextNumber: Int

  init(_ recording: Recording, _ stream: Int, from number: Int) throws(RetakeError) {
    (self.recording, self.stream, nextNumber) = (recording, stream, number)
    reader = try RetakeError.publicly { () throws(InsideError) in try FrameReader(recording.store) }
  }

  /// The next frame; nil after the last. After an error, the frame behind the damaged one.
  /// - Throws: `corrupt` for a damaged frame, `inputOutput` where it cannot be read.
  public func next() throws(RetakeError) -> Frame? {
    try RetakeError.publicly { () throws(InsideError) in
      if rows.isEmpty {
        rows = try recording.store.frameRows(stream: stream, from: nextNumber, limit: Self.pageLength)[...]
      }
      guard let row = rows.popFirst() else { return nil }
      nextNumber = row.number + 1
      return Frame(try reader.frame(row))
    }
  }
}

/// Reads frame sets, each when it is asked for. Serves one thread; several cursors can read at the
/// same time.
public final class FrameSetCursor {
  private static let pageLength = 64
  private let recording: Recording
  private let streams: Set<Int>
  private let reader: FrameReader
  private var entries: ArraySlice<FrameSetEntry> = []
  /// Counted from the recording's first as 0.
  private var left: Range<Int>

  init(_ recording: Recording, _ range: Range<Int>?, streams: Set<Int>) throws(RetakeError) {
    (self.recording, self.streams) = (recording, streams)
    let all = recording.firstFrameSet..<recording.firstFrameSet + recording.frameSetCount
    let wanted = (range ?? all).clamped(to: all)
    left = wanted.lowerBound - all.lowerBound..<wanted.upperBound - all.lowerBound
    reader = try RetakeError.publicly { () throws(InsideError) in try FrameReader(recording.store) }
  }

  /// The next frame set; nil after the last. After an error, the set behind the one with the damaged
  /// frame.
  /// - Throws: `corrupt` for a damaged frame, `inputOutput` where it cannot be read.
  public func next() throws(RetakeError) -> FrameSet? {
    try RetakeError.publicly { () throws(InsideError) in
      while entries.isEmpty, !left.isEmpty {
        let end = min(left.lowerBound + Self.pageLength, left.upperBound)
        entries = try recording.store.frameSets(left.lowerBound..<end)[...]
        left = end..<left.upperBound
      }
      guard let entry = entries.popFirst() else { return nil }
      var frames: [Frame] = []
      for row in [entry.master] + entry.partners where streams.contains(row.stream) {
        frames.append(Frame(try reader.frame(row)))
      }
      return FrameSet(
        number: entry.number + recording.firstFrameSet,
        presentationNanoseconds: entry.master.timestamps.presentation.nanoseconds, frames: frames,
        faces: entry.faces.map { Face($0) }, facesWereSkipped: entry.isSkippedForFaces)
    }
  }
}
