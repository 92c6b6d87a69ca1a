import Support

/// Decodes sensor_msgs/Image and sensor_msgs/CompressedImage, and ROS' messages with compressed video. Fields
/// are in order of definition.
enum ROSImageMessage {
  static func read(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool, isVersion1: Bool) throws(RetakeError)
    -> ImageMessage
  {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    // std_msgs/Header: in ROS 1 a sequence number comes first.
    if isVersion1 { _ = try fields.uint32() }
    let (stamp, frame) = try stampAndFrame(&fields, isVersion1)
    if isCompressed {
      let format = try fields.string()
      return ImageMessage(
        stampNanoseconds: stamp, encoding: format, form: .compressed, data: try fields.bytes(), frame: frame)
    }
    let height = Int(try fields.uint32())
    let width = Int(try fields.uint32())
    let encoding = try fields.string()
    let isBigEndian = try fields.uint8() != 0
    let bytesPerRow = Int(try fields.uint32())
    return ImageMessage(
      stampNanoseconds: stamp, encoding: encoding,
      form: .raw(width: width, height: height, bytesPerRow: bytesPerRow, isBigEndian: isBigEndian),
      data: try fields.bytes(), frame: frame)
  }

  /// foxglove_msgs/CompressedVideo and CompressedImage.
  static func readFoxglove(_ bytes: UnsafeRawBufferPointer, isVersion1: Bool) throws(RetakeError) -> ImageMessage {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    let (stamp, frame) = try stampAndFrame(&fields, isVersion1)
    let data = try fields.bytes()
    return ImageMessage(
      stampNanoseconds: stamp, encoding: try fields.string(), form: .compressed, data: data, frame: frame)
  }

  /// FFMPEGPacket of ffmpeg_image_transport.
  static func readPacket(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> ImageMessage {
    var fields = try CDRReader(bytes)
    let (stamp, frame) = try stampAndFrame(&fields, false)
    // Width and height, which the video states too.
    for _ in 0..<2 { _ = try fields.int32() }
    let encoding = try fields.string()
    // The encoder's own time, flags and byte order.
    _ = try fields.float64()
    for _ in 0..<2 { _ = try fields.uint8() }
    return ImageMessage(
      stampNanoseconds: stamp, encoding: encoding, form: .compressed, data: try fields.bytes(), frame: frame)
  }

  /// In ROS 1 seconds are unsigned.
  private static func stampAndFrame(
    _ fields: inout CDRReader, _ isVersion1: Bool
  ) throws(RetakeError) -> (stamp: Int64?, frame: String) {
    let seconds = isVersion1 ? Int64(try fields.uint32()) : Int64(try fields.int32())
    let nanos = Int64(try fields.uint32())
    return (ImageMessage.nanoseconds(seconds: seconds, nanos: nanos), try fields.string())
  }
}
