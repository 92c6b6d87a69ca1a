import ChunkFormat
import FrameModel

/// Gives frames their numbers in a recording when they are written, and finds those numbers for what refers to a frame.
///
/// Until then entries carry the numbers that `FrameAdmission` counts. Those have gaps where no mark kept a frame, and go on
/// over all parts of a split session; a recording's numbers begin at 0 and have no gaps.
struct FrameNumbering {
  /// Frames that were admitted and written one after the other.
  private struct Run {
    var admitted: Range<Int>
    /// The recording's number of the first.
    var number: Int
  }

  /// Of each stream, in order.
  private var runs: [[Run]]
  private var nextNumbers: [Int]
  /// Bounds the memory of a recording with many gaps. Faces come at most some seconds after their frame.
  private static let runLimit = 4096

  init(streamCount: Int) {
    runs = Array(repeating: [], count: streamCount)
    nextNumbers = Array(repeating: 0, count: streamCount)
  }

  /// - Returns: nil for faces of a frame that is not in this recording.
  mutating func numbered(_ entry: RecordEntry) -> RecordEntry? {
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

  /// The first run that ends after a frame.
  private func run(of admitted: Int, stream: Int) -> Run? {
    // Nearly always one of the last.
    let runs = runs[stream]
    guard let before = runs.lastIndex(where: { $0.admitted.upperBound <= admitted }) else { return runs.first }
    return before + 1 < runs.count ? runs[before + 1] : nil
  }
}
