import Support

/// Decodes sensor_msgs/Image and sensor_msgs/CompressedImage, fields in order of definition.
enum ROSImageMessage {
  static func read(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool, isVersion1: Bool) throws(RetakeError)
    -> ImageMessage
  {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    // std_msgs/Header: in ROS 1 a sequence number comes first, and seconds are unsigned.
    if isVersion1 { _ = try fields.uint32() }
    let seconds = isVersion1 ? Int64(try fields.uint32()) : Int64(try fields.int32())
    let nanos = Int64(try fields.uint32())
    let frame = try fields.string()
    let stamp = ImageMessage.nanoseconds(seconds: seconds, nanos: nanos)
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
}
