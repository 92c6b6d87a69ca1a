import CaptureDevices

/// What another tool recorded, ready to travel as a camera's frames do.
package struct ImportSource {
  /// Not live: it waits for the recorder, and gives the same frames every time.
  package var device: any CaptureDevice
  /// Of all streams together, for a progress bar.
  package var frameCount: Int
  /// Unix time at presentation time 0, nanoseconds; 0 where the source does not know it.
  package var wallClockNanoseconds: Int64
  /// What is left out, and what looked odd: a sentence each.
  package var remarks: [String]
}

/// How far the first reading of a source has come: bytes done and in all.
/// - Returns: false to end it.
package typealias ImportProgress = (_ done: Int, _ total: Int) -> Bool
