import FrameModel
import Support

/// A picture in a message of another program. `data` points into the message.
struct ImageMessage {
  enum Form {
    /// Rows of pixels; the encoding says what they are.
    case raw(width: Int, height: Int, bytesPerRow: Int, isBigEndian: Bool)
    /// A picture file, whose first bytes determine the type, or a packet of the video codec that `encoding` names.
    case compressed
  }

  /// Capture time, nanoseconds of the sender's clock; nil if the message has none.
  var stampNanoseconds: Int64?
  /// Pixel encoding or file type, such as "rgb8", "16UC1" or "jpeg".
  var encoding: String
  var form: Form
  var data: UnsafeRawBufferPointer
  /// Name of the camera's frame of reference; empty if there is none.
  var frame = ""

  /// Limit of an encoding name; a longer one means that the message is damaged.
  static let longestEncodingByteCount = 256

  /// - Returns: nil for a time that no recording can hold, or before 1970.
  static func nanoseconds(seconds: Int64, nanos: Int64) -> Int64? {
    guard (0...1 << 31).contains(seconds), (0..<1_000_000_000).contains(nanos) else { return nil }
    let sum = seconds * 1_000_000_000 + nanos
    return sum.isPlausibleTime ? sum : nil
  }
}

enum ImageMessageKind: Hashable, Sendable {
  case ros(isCompressed: Bool, isVersion1: Bool)
  case foxglove(isCompressed: Bool)
  case foxgloveJSON(isCompressed: Bool)
  case foxgloveVideo
  /// Foxglove's compressed messages as ROS' own.
  case foxgloveROS(isVersion1: Bool)
  case ffmpegPacket

  /// - Returns: nil for messages that are not pictures or not supported.
  init?(schema: String, messageEncoding: String) {
    switch (schema, messageEncoding) {
    case ("sensor_msgs/msg/Image", "cdr"): self = .ros(isCompressed: false, isVersion1: false)
    case ("sensor_msgs/msg/CompressedImage", "cdr"): self = .ros(isCompressed: true, isVersion1: false)
    case ("sensor_msgs/Image", "ros1"): self = .ros(isCompressed: false, isVersion1: true)
    case ("sensor_msgs/CompressedImage", "ros1"): self = .ros(isCompressed: true, isVersion1: true)
    case ("foxglove.RawImage", "protobuf"): self = .foxglove(isCompressed: false)
    case ("foxglove.CompressedImage", "protobuf"): self = .foxglove(isCompressed: true)
    case ("foxglove.RawImage", "json"): self = .foxgloveJSON(isCompressed: false)
    case ("foxglove.CompressedImage", "json"): self = .foxgloveJSON(isCompressed: true)
    case ("foxglove.CompressedVideo", "protobuf"): self = .foxgloveVideo
    case ("foxglove.CompressedVideo", "json"): self = .foxgloveJSON(isCompressed: true)
    case ("foxglove_msgs/msg/CompressedVideo", "cdr"), ("foxglove_msgs/msg/CompressedImage", "cdr"):
      self = .foxgloveROS(isVersion1: false)
    case ("foxglove_msgs/CompressedVideo", "ros1"), ("foxglove_msgs/CompressedImage", "ros1"):
      self = .foxgloveROS(isVersion1: true)
    case ("ffmpeg_image_transport_msgs/msg/FFMPEGPacket", "cdr"): self = .ffmpegPacket
    default: return nil
    }
  }

  /// Whether a user would expect a stream from such a channel.
  static func isPictureSchema(_ schema: String) -> Bool {
    let name = schema.split { $0 == "/" || $0 == "." }.last ?? ""
    return ["Image", "RawImage", "CompressedImage", "CompressedVideo", "FFMPEGPacket", "ImageAnnotations"].contains(
      name)
  }

  /// Calls `body` with the message, whose data is valid during the call.
  /// - Throws: `.corrupt` for a message that does not match its schema.
  func read<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (ImageMessage) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    switch self {
    case .ros(let isCompressed, let isVersion1):
      try body(try ROSImageMessage.read(bytes, isCompressed: isCompressed, isVersion1: isVersion1))
    case .foxglove(let isCompressed): try body(try FoxgloveImageMessage.read(bytes, isCompressed: isCompressed))
    case .foxgloveJSON(let isCompressed):
      try FoxgloveJSONImage.read(bytes, isCompressed: isCompressed, body)
    case .foxgloveVideo: try body(try FoxgloveImageMessage.readVideo(bytes))
    case .foxgloveROS(let isVersion1): try body(try ROSImageMessage.readFoxglove(bytes, isVersion1: isVersion1))
    case .ffmpegPacket: try body(try ROSImageMessage.readPacket(bytes))
    }
  }
}
