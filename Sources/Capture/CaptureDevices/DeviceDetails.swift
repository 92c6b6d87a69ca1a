import FrameModel

/// What a device can be asked for, as it says itself: for lists, not for recording.
package struct DeviceDetails: Sendable {
  package struct Format: Sendable {
    /// As on the command line, or as the driver names what is not recorded.
    package var name: String
    package var title: String
    package var isRecorded: Bool
    package var modes: [Mode]
  }
  package struct Mode: Hashable, Sendable {
    /// "640x480", or a range of sizes; empty where the driver does not say.
    package var size: String
    /// Frames per second as on the command line, the highest first; a range has two words and a dash between them.
    package var rates: [String]
  }
  package struct Control: Sendable {
    package var control: VideoControl
    /// Nil for one that cannot be read.
    package var value: Int64?
  }

  package var driver: String
  package var card: String
  package var bus: String
  package var formats: [Format]
  package var controls: [Control]
}
