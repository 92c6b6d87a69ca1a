import ChunkFormat
import Support

/// Decodes Foxglove's messages from protobuf.
enum FoxgloveImageMessage {
  static func readVideo(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> ImageMessage {
    let video = try Foxglove.CompressedVideo.decode(bytes)
    return try message(video.timestamp, encoding: video.format, .compressed, video.data, frame: video.frameID)
  }

  static func read(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool) throws(RetakeError) -> ImageMessage {
    if isCompressed {
      let image = try Foxglove.CompressedImage.decode(bytes)
      return try message(image.timestamp, encoding: image.format, .compressed, image.data, frame: image.frameID)
    }
    let image = try Foxglove.RawImage.decode(bytes)
    let form = ImageMessage.Form.raw(
      width: image.width, height: image.height, bytesPerRow: image.step, isBigEndian: false)
    return try message(image.timestamp, encoding: image.encoding, form, image.data, frame: image.frameID)
  }

  private static func message(
    _ time: Foxglove.Time?, encoding: String, _ form: ImageMessage.Form, _ data: UnsafeRawBufferPointer,
    frame: String
  ) throws(RetakeError) -> ImageMessage {
    guard encoding.utf8.count <= ImageMessage.longestEncodingByteCount else {
      throw RetakeError(.corrupt, "A message has a name of \(encoding.utf8.count) bytes, which is too long.")
    }
    return ImageMessage(
      stampNanoseconds: time.flatMap { ImageMessage.nanoseconds(seconds: $0.seconds, nanos: $0.nanos) },
      encoding: encoding, form: form, data: data, frame: frame)
  }
}
