/// A device's formats, modes and controls as it reports them; for listing, not for recording.
package struct DeviceDetails: Sendable {
  package struct Format: Sendable {
    /// Command-line name, or the driver's name for a format that cannot be recorded.
    package var name: String
    package var title: String
    package var isRecorded: Bool
    package var modes: [Mode]
  }
  package struct Mode: Hashable, Sendable {
    /// "640x480", or a range of sizes.
    package var size: String
    /// Frame rates as on the command line, highest first; or one range, "5-30".
    package var rates: [String]
  }
  package struct Control: Sendable {
    package var control: VideoControl
    /// Nil if it cannot be read.
    package var value: Int64?
  }

  package var driver: String
  package var card: String
  package var bus: String
  package var formats: [Format]
  package var controls: [Control]
}
