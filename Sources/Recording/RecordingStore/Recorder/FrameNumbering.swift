import ChunkFormat
import FrameModel

/// Assigns frame numbers within a recording, and translates references to frames.
///
/// Entries arrive with the numbers of `FrameAdmission`. Those have gaps where frames were discarded
/// between marks, and continue over all parts of a split session. Numbers in a recording start at 0
/// and have no gaps.
package struct FrameNumbering {
  /// Consecutively admitted frames that were all written.
  private struct Run {
    var admitted: Range<Int>
    var number: Int
  }

  private var runs: [[Run]]
  private var nextNumbers: [Int]
  /// Bounds the memory used by a recording with many gaps. Older runs can go: faces arrive at most
  /// a few seconds after their frame.
  private static let runLimit = 4096

  package init(streamCount: Int) {
    runs = Array(repeating: [], count: streamCount)
    nextNumbers = Array(repeating: 0, count: streamCount)
  }

  /// - Returns: nil for faces of a frame that is not in this recording.
  package mutating func numbered(_ entry: RecordEntry) -> RecordEntry? {
    switch entry {
    case .frame(var message, let payload, let stream):
      message.number = number(admitted: message.number, stream: stream)
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      guard let run = run(of: message.frameNumber, stream: message.stream),
        run.admitted.contains(message.frameNumber)
      else { return nil }
      message.frameNumber += run.number - run.admitted.lowerBound
      return .faces(message)
    case .event(var event):
      // An event about a frame that was not written names the frame after it.
      event.frameNumber =
        run(of: event.frameNumber, stream: event.stream)
        .map { $0.number + max(0, event.frameNumber - $0.admitted.lowerBound) } ?? nextNumbers[event.stream]
      return .event(event)
    case .mark: return entry
    }
  }

  private mutating func number(admitted: Int, stream: Int) -> Int {
    let number = nextNumbers[stream]
    nextNumbers[stream] += 1
    if let last = runs[stream].last, last.admitted.upperBound == admitted {
      runs[stream][runs[stream].count - 1].admitted = last.admitted.lowerBound..<admitted + 1
    } else {
      if runs[stream].count == Self.runLimit { runs[stream].removeFirst(Self.runLimit / 2) }
      runs[stream].append(Run(admitted: admitted..<admitted + 1, number: number))
    }
    return number
  }

  private func run(of admitted: Int, stream: Int) -> Run? {
    // Searches backwards: the match is nearly always one of the last runs.
    let runs = runs[stream]
    guard let before = runs.lastIndex(where: { $0.admitted.upperBound <= admitted }) else { return runs.first }
    return before + 1 < runs.count ? runs[before + 1] : nil
  }
}
