import FrameModel

/// What an export wrote, and what it had to leave out.
package struct ExportReport: Hashable, Sendable {
  package struct Stream: Hashable, Sendable {
    package var name: String
    package var frameCount = 0
  }

  /// The streams that were exported.
  package var streams: [Stream]
  /// Names of streams that the format has no place for.
  package var leftOutStreams: [String]
  /// Frames that the driver called damaged, or that do not read back whole from their chunk file.
  package var damagedCount = 0
  /// Frames whose time is, to the microsecond, that of one before them: two files cannot have one name.
  package var sameTimeCount = 0
  /// Depth samples too far for 16 bits of the chosen unit, which became holes.
  package var farSampleCount = 0
  /// Pairs of colour and depth, for the formats that list them.
  package var pairCount = 0
  /// Whole seconds that were added to every time, because the format has none before 1970.
  package var addedSeconds = 0

  package var frameCount: Int { streams.reduce(0) { $0 + $1.frameCount } }
  package var isWhole: Bool { damagedCount == 0 && sameTimeCount == 0 && farSampleCount == 0 }

  /// For programs, in this order.
  package var facts: [(name: String, value: Int)] {
    [
      ("damaged", damagedCount), ("same_time", sameTimeCount), ("far_samples", farSampleCount), ("pairs", pairCount),
      ("added_seconds", addedSeconds),
    ]
  }

  /// One sentence for each thing that is not as in the recording; empty for a whole export.
  package var remarks: [String] {
    var remarks: [String] = []
    if damagedCount > 0 { remarks.append("\(damagedCount) damaged frames were left out") }
    if sameTimeCount > 0 {
      remarks.append("\(sameTimeCount) frames were left out: their time is that of a frame before them")
    }
    if farSampleCount > 0 {
      remarks.append("\(farSampleCount) depth samples became holes, too far for 16 bits: --scale 1000 keeps them")
    }
    if addedSeconds > 0 { remarks.append("\(addedSeconds) s were added to every time, which began before 1970") }
    if !leftOutStreams.isEmpty { remarks.append("not exported: \(leftOutStreams.joined(separator: ", "))") }
    return remarks
  }
}

/// Writes a recording in another format, once.
package protocol RecordingExporter: AnyObject {
  /// Frames to go through.
  var frameCount: Int { get }
  /// - Parameter progress: called with the number of frames done; false ends the export early.
  func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport
}
