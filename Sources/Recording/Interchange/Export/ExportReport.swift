import Support

package struct ExportReport: Hashable, Sendable {
  package struct Stream: Hashable, Sendable {
    package var name: String
    package var frameCount = 0
  }

  package var streams: [Stream]
  /// Names of streams that the format cannot hold, and of other parts, such as faces.
  package var leftOutStreams: [String]
  /// Frames flagged as damaged by the driver, or that fail to decode, such as "color 12".
  package var damagedFrames: [String] = []
  /// Frames left out because an earlier one has the same microsecond, and so the same file name.
  package var sameTimeCount = 0
  /// Depth samples too far for 16 bits in the chosen unit, which became holes.
  package var farSampleCount = 0
  /// Colour and depth pairs, for formats that list them.
  package var pairCount = 0
  /// Whole seconds added to every time, since the format has none before 1970.
  package var addedSeconds = 0
  /// Video pictures that repeat a frame because the next one is missing or late.
  package var heldCount = 0
  /// Frames left out because they came too soon for the video's frame rate.
  package var surplusCount = 0

  package var isWhole: Bool {
    damagedFrames.isEmpty && sameTimeCount == 0 && farSampleCount == 0 && surplusCount == 0
  }

  /// Counts for machine-readable output, in this order.
  package var facts: [(name: String, value: Int)] {
    [
      ("damaged", damagedFrames.count), ("same_time", sameTimeCount), ("far_samples", farSampleCount),
      ("pairs", pairCount), ("added_seconds", addedSeconds), ("held", heldCount), ("surplus", surplusCount),
    ]
  }

  /// One sentence per difference from the recording.
  package var remarks: [String] {
    var remarks: [String] = []
    if !damagedFrames.isEmpty {
      remarks.append(
        "\(damagedFrames.count) damaged \(damagedFrames.count == 1 ? "frame was" : "frames were") left out: \(namesOfDamaged)"
      )
    }
    if sameTimeCount > 0 {
      remarks.append("\(sameTimeCount) frames were left out: they have the same time as an earlier frame")
    }
    if surplusCount > 0 {
      remarks.append("\(surplusCount) frames were left out: they exceed the video's frame rate, see --rate")
    }
    if heldCount > 0 {
      remarks.append("\(heldCount) pictures repeat the previous frame, since the next was missing or late")
    }
    if farSampleCount > 0 {
      remarks.append(
        "\(farSampleCount) depth samples became holes: they are too far for 16 bits, --scale 1000 keeps them")
    }
    if addedSeconds > 0 {
      remarks.append("\(addedSeconds) s were added to every timestamp, since the first was before 1970")
    }
    if !leftOutStreams.isEmpty { remarks.append("not exported: \(leftOutStreams.joined(separator: ", "))") }
    return remarks
  }

  private var namesOfDamaged: String {
    let shown = damagedFrames.prefix(10).joined(separator: ", ")
    return damagedFrames.count > 10 ? "\(shown) and \(damagedFrames.count - 10) more" : shown
  }
}

/// Exports a recording to another format. Runs once.
package protocol RecordingExporter: AnyObject {
  var frameCount: Int { get }
  /// - Parameter progress: called with the number of frames done; returns false to end early.
  func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport
}
