import FrameModel
import Support

/// Merges the index rows of several streams in order of presentation time. Of equal times, the stream that was named
/// first comes first. Reads pages of rows, so that memory does not grow with the recording.
package struct TimeOrderedRows {
  private struct Lane {
    let stream: Int
    let end: Int
    var page: ArraySlice<FrameRow> = []
    var nextNumber: Int
    var isAtEnd = false
  }

  private let recording: Recording
  private var lanes: [Lane]
  private static let pageLength = 256

  /// - Parameter streams: with the frame numbers to read; `0..<Int.max` for all.
  package init(_ recording: Recording, _ streams: [(stream: Int, numbers: Range<Int>)]) {
    self.recording = recording
    lanes = streams.map { Lane(stream: $0.stream, end: $0.numbers.upperBound, nextNumber: $0.numbers.lowerBound) }
  }

  /// - Returns: a row and the position of its stream among those named; nil at the end.
  package mutating func next() throws(RetakeError) -> (lane: Int, row: FrameRow)? {
    var earliest: (lane: Int, row: FrameRow)?
    for lane in lanes.indices {
      guard let row = try head(lane) else { continue }
      if let found = earliest, found.row.timestamps.presentation <= row.timestamps.presentation { continue }
      earliest = (lane, row)
    }
    if let earliest { lanes[earliest.lane].page.removeFirst() }
    return earliest
  }

  private mutating func head(_ lane: Int) throws(RetakeError) -> FrameRow? {
    if let row = lanes[lane].page.first { return row }
    guard !lanes[lane].isAtEnd else { return nil }
    let rows = try recording.frameRows(
      stream: lanes[lane].stream, from: lanes[lane].nextNumber, limit: Self.pageLength)
    let end = lanes[lane].end
    lanes[lane].page = ArraySlice(rows.prefix { $0.number < end })
    lanes[lane].isAtEnd = lanes[lane].page.count < Self.pageLength
    if let last = rows.last { lanes[lane].nextNumber = last.number + 1 }
    return lanes[lane].page.first
  }
}
