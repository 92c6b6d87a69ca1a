import FrameModel
import Support

/// What RealSense's SDK says of a picture in a `.db3`, in a message of its own, such as
/// "Frame number=1;timestamp_domain=Hardware Clock;timestamp=1033.300000;". The picture's header has the recorder's
/// time instead of the camera's.
struct RealSenseMetadata {
  /// The camera's time; nil if the message does not state it.
  let nanoseconds: Int64?

  private static let largestByteCount = 1 << 16
  private static let key = "timestamp="
  /// Milliseconds have six decimals.
  private static let decimalCount = 6

  /// - Parameter message: a std_msgs/String in CDR; anything else states nothing.
  init(_ message: UnsafeRawBufferPointer) { nanoseconds = (try? Self.text(message)).flatMap(Self.time) }

  /// - Returns: the topic of the metadata of pictures such as "/device_0/sensor_0/Depth_0/image/data", and nil for
  ///   topics of others.
  static func topic(ofPictures topic: String) -> String? {
    let parts = topic.split(separator: "/")
    guard parts.count >= 5, parts[0].hasPrefix("device_"), parts[1].hasPrefix("sensor_"), parts[3] == "image",
      parts[4] == "data"
    else { return nil }
    return "/" + parts[..<4].joined(separator: "/") + "/metadata"
  }

  private static func text(_ message: UnsafeRawBufferPointer) throws(RetakeError) -> String {
    var fields = try CDRReader(message)
    return String(decoding: try fields.bytes().prefix(largestByteCount).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Exact: digits are shifted, not multiplied.
  private static func time(_ text: String) -> Int64? {
    guard let word = text.split(separator: ";").first(where: { $0.hasPrefix(key) }) else { return nil }
    let parts = word.dropFirst(key.count).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? String(parts[1].prefix(decimalCount)) : ""
    let digits = String(parts[0]) + decimals + String(repeating: "0", count: decimalCount - decimals.count)
    guard !parts[0].isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(digits),
      time.isPlausibleTime
    else { return nil }
    return time
  }
}
