import ChunkFormat
import FrameModel
import Support

/// Parses the `frames.csv` of an exported stream.
enum PNGFrameList {
  struct Step: Sendable {
    var stream: Int
    var line: Int
    var taken: MonotonicTime
    var arrival: MonotonicTime
    var deviceTick: UInt64?
    var flags: FrameFlags
    /// Nil for a frame that the export left out.
    var path: String?
  }

  private static let largestByteCount = 1 << 30

  /// - Parameter origin: monotonic time at presentation time 0.
  /// - Throws: `.corrupt` with the number of the invalid line.
  static func steps(in folder: String, stream: Int, origin: MonotonicTime) throws(RetakeError) -> [Step] {
    let path = "\(folder)/\(PNGFolder.listName)"
    let lines = try FileBytes.read(path, limit: largestByteCount).split(separator: UInt8(ascii: "\n"))
    guard let header = lines.first, String(decoding: header, as: UTF8.self) == PNGFolder.listHeader else {
      throw corrupt(path, line: 1)
    }
    var steps: [Step] = []
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: UInt8(ascii: ","), maxSplits: 5, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 6, let presentation = Int64(words[1]), presentation.isPlausibleTime,
        let arrival = Int64(words[2]), arrival.isPlausibleTime, words[3].isEmpty || UInt64(words[3]) != nil,
        let flags = UInt32(words[4]), !words[5].contains("/"), !words[5].utf8.contains(0), words[5] != ".."
      else { throw corrupt(path, line: index + 1) }
      steps.append(
        Step(
          stream: stream, line: index, taken: MonotonicTime(nanoseconds: origin.nanoseconds &+ presentation),
          arrival: MonotonicTime(nanoseconds: arrival), deviceTick: UInt64(words[3]),
          flags: FrameFlags(rawValue: flags), path: words[5].isEmpty ? nil : "\(folder)/\(words[5])"))
    }
    return steps
  }

  private static func corrupt(_ path: String, line: Int) -> RetakeError {
    RetakeError(
      .corrupt, "\(path), line \(line), does not describe an exported frame.", hint: "export the recording again")
  }
}
