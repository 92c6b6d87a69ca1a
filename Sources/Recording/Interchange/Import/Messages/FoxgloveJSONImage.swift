import Foundation
import Support

/// Decodes foxglove.RawImage and foxglove.CompressedImage from JSON, with bytes in base64.
enum FoxgloveJSONImage {
  /// Limited, since the parser takes several times its input in memory.
  private static let largestByteCount = 64 << 20

  static func read<Result>(
    _ bytes: UnsafeRawBufferPointer, isCompressed: Bool, _ body: (ImageMessage) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    guard bytes.count <= largestByteCount else {
      throw RetakeError(
        .unsupported, "A JSON message has \(bytes.count) bytes; the limit is \(largestByteCount).")
    }
    guard let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
      let data = (object["data"] as? String).flatMap({ Data(base64Encoded: $0) }),
      let encoding = object[isCompressed ? "format" : "encoding"] as? String
    else { throw RetakeError(.corrupt, "A message is not an image in Foxglove's JSON schema.") }
    let time = object["timestamp"] as? [String: Any]
    let form: ImageMessage.Form =
      isCompressed
      ? .compressed
      : .raw(
        width: integer(object["width"]), height: integer(object["height"]), bytesPerRow: integer(object["step"]),
        isBigEndian: false)
    return try [UInt8](data).withRawBytes { bytes throws(RetakeError) in
      let stamp = time.flatMap {
        ImageMessage.nanoseconds(seconds: Int64(integer($0["sec"])), nanos: Int64(integer($0["nsec"])))
      }
      return try body(
        ImageMessage(
          stampNanoseconds: stamp, encoding: encoding, form: form, data: bytes,
          frame: object["frame_id"] as? String ?? ""))
    }
  }

  /// Returns −1, which no check accepts, for anything but an integer.
  private static func integer(_ value: Any?) -> Int { value as? Int ?? -1 }
}
