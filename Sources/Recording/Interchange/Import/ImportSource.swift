import CaptureDevices
import Support

/// A recording of another tool, as a capture device.
package struct ImportSource {
  /// Not live: it waits for the recorder and gives the same frames every time.
  package var device: any CaptureDevice
  package var frameCount: Int
  /// Unix time at presentation time 0, nanoseconds; 0 if unknown.
  package var wallClockNanoseconds: Int64
  /// One sentence for each thing that is left out or looks wrong.
  package var remarks: [String]
  /// To be stored once the recording is made.
  package var notes = ExportedNotes()

  /// Remarks of a folder's files that are not taken; of many, some are named and the rest counted.
  static func leftOut(_ names: [String], of folder: String) -> [String] {
    let named = names.prefix(20).map { "left out \($0)" }
    let more = names.count - named.count
    return named + (more > 0 ? ["left out \(more) other names in \(folder)"] : [])
  }
}

/// Progress of the first pass over a source, in bytes. Returns false to end it.
package typealias ImportProgress = (_ done: Int, _ total: Int) -> Bool

extension RetakeError {
  static func importStopped(_ path: String) -> RetakeError {
    RetakeError(.inputOutput, "The import of \(path) was stopped before it began.", hint: "import it again")
  }
}
