import ChunkFormat
import FrameModel
import Media
import Support

/// A picture of ROS's compressed_depth_image_transport: a 12-byte header, then a PNG, or width, height and RVL.
/// 32FC1 is kept as quantised inverse depth, whose two numbers the header has.
struct DepthPicture {
  private enum Packing {
    case png
    case rvl
  }

  let width: Int
  let height: Int
  private let packing: Packing
  private let data: UnsafeRawBufferPointer
  /// The header's A and B: metres are A / (value − B). Nil for 16UC1, whose values are millimetres.
  private let inverseDepth: (a: Float, b: Float)?
  private static let headByteCount = 12

  /// - Returns: nil for a picture that is not of this transport.
  /// - Throws: `.unsupported` or `.corrupt` for one that cannot be decoded.
  init?(_ image: ImageMessage) throws(RetakeError) {
    guard image.encoding.contains("compressedDepth"), image.data.count > Self.headByteCount else { return nil }
    var reader = ByteReader(image.data)
    // The first is the kind of quantisation: always by inverse depth.
    _ = try reader.fixed(UInt32.self)
    let a = Float(bitPattern: try reader.fixed(UInt32.self))
    let b = Float(bitPattern: try reader.fixed(UInt32.self))
    switch image.encoding.prefix(5) {
    case "16UC1": inverseDepth = nil
    case "32FC1":
      guard a.isFinite, b.isFinite, a > 0 else {
        throw RetakeError(.corrupt, "A picture of '\(image.encoding.prefix(40))' has an invalid header.")
      }
      inverseDepth = (a, b)
    default:
      throw RetakeError(
        .unsupported, "compressedDepth of '\(image.encoding.prefix(40))' is not supported",
        hint: "record 16UC1 or 32FC1 depth, or the uncompressed topic")
    }
    let body = try reader.take(reader.remaining)
    if PNGDecoder.isPNG(body) {
      let png = try PNGDecoder(body, name: "A depth picture")
      guard png.samples == .grey16 else {
        throw RetakeError(.corrupt, "A picture of '\(image.encoding.prefix(40))' does not have 16 bits a pixel.")
      }
      (width, height, packing, data) = (png.width, png.height, .png, body)
      return
    }
    guard image.encoding.hasSuffix("rvl") else {
      throw RetakeError(.corrupt, "A picture of '\(image.encoding.prefix(40))' is not a PNG.")
    }
    var sizes = ByteReader(body)
    (width, height) = (Int(try sizes.fixed(UInt32.self)), Int(try sizes.fixed(UInt32.self)))
    (packing, data) = (.rvl, try sizes.take(sizes.remaining))
  }

  /// - Parameter buffer: `width` × `height` little-endian samples, millimetres.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) {
    switch packing {
    case .png:
      try PNGDecoder(data, name: "A depth picture").grey16().samples.withUnsafeBytes { buffer.copyMemory(from: $0) }
    case .rvl: try RunLengthDepth.decode(data, into: buffer)
    }
    guard let (a, b) = inverseDepth else { return }
    for place in stride(from: 0, to: buffer.count, by: 2) {
      let value = UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt16.self))
      // 0 is no measurement.
      let millimeters = value == 0 ? 0 : RowCoding.millimeters(a / (Float(value) - b))
      buffer.storeBytes(of: millimeters.littleEndian, toByteOffset: place, as: UInt16.self)
    }
  }
}

/// RVL: alternating runs of zeros and of differences, in nibbles of three bits (A. Wilson, "Fast Lossless Depth
/// Image Compression", 2017).
enum RunLengthDepth {
  /// Reads nibbles from the top of each little-endian 32-bit word.
  private struct Nibbles {
    var words: ByteReader
    var word: UInt32 = 0
    var count = 0

    mutating func number() throws(RetakeError) -> UInt32 {
      var value: UInt32 = 0
      var shift: UInt32 = 0
      while true {
        if count == 0 { (word, count) = (try words.fixed(UInt32.self), 8) }
        let nibble = word >> 28
        (word, count) = (word << 4, count - 1)
        guard shift < 32 else { throw RetakeError(.corrupt, "A depth picture has a number of more than 32 bits.") }
        value |= (nibble & 7) << shift
        if nibble < 8 { return value }
        shift += 3
      }
    }
  }

  /// - Throws: `.corrupt` if the data does not give exactly the buffer's samples.
  static func decode(_ data: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) {
    var nibbles = Nibbles(words: ByteReader(data))
    let count = buffer.count / 2
    var (place, previous) = (0, UInt32(0))
    while place < count {
      let zeros = Int(try nibbles.number())
      let others = Int(try nibbles.number())
      guard zeros <= count - place, others <= count - place - zeros, zeros + others > 0 else {
        throw RetakeError(.corrupt, "A depth picture has runs longer than its size.")
      }
      for _ in 0..<zeros {
        buffer.storeBytes(of: 0, toByteOffset: 2 * place, as: UInt16.self)
        place += 1
      }
      for _ in 0..<others {
        let coded = try nibbles.number()
        previous &+= (coded >> 1) ^ (0 &- (coded & 1))
        let sample = UInt16(truncatingIfNeeded: previous).littleEndian
        buffer.storeBytes(of: sample, toByteOffset: 2 * place, as: UInt16.self)
        place += 1
      }
    }
  }
}
