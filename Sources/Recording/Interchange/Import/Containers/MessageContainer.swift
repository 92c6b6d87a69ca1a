import FrameModel
import Support

/// The messages of a file, whatever its format, in the order in which they are read. Damage is skipped
/// and reported; only errors of the disk are thrown.
protocol MessageContainer: AnyObject {
  /// Bytes, or another measure of progress.
  var byteCount: Int { get }
  var position: Int { get }
  /// The channels known so far, by an identifier that is unique in the container.
  var channels: [Int: MessageChannel] { get }
  func channel(_ id: Int) -> MessageChannel?
  /// Messages per channel as the file states them; empty if it does not.
  var statedCounts: [Int: Int] { get }
  /// The first damage found so far, and the number of further ones; nil for none.
  var damage: (first: RetakeError, moreCount: Int)? { get }
  /// One sentence for each thing that the user should know.
  var remarks: [String] { get }
  /// Tags, a note and marks, once all is read, if Retake exported the file.
  var notes: ExportedNotes { get }

  func next() throws(RetakeError) -> ContainedMessage?
}

extension MessageContainer {
  func channel(_ id: Int) -> MessageChannel? { channels[id] }
  var remarks: [String] { [] }
  var notes: ExportedNotes { ExportedNotes() }
}

struct MessageChannel: Hashable {
  var topic: String
  /// The message type, such as "sensor_msgs/msg/Image".
  var schema: String
  /// "cdr" for ROS 2, "ros1", "protobuf" or "json".
  var messageEncoding: String
  /// The stream's description, if Retake exported the file.
  var original: StreamDescription?
}

struct ContainedMessage {
  var channel: Int
  /// When the recorder received the message, nanoseconds.
  var logTime: UInt64
  /// Valid until the next call of `next`.
  var data: UnsafeRawBufferPointer
  /// The data may be wrong: what holds it is cut short or does not match its checksum.
  var isSuspect: Bool
  /// The message of RealSense's SDK about this picture; empty if it is missing, nil for other senders. Valid as `data`.
  var metadata: UnsafeRawBufferPointer?
}
