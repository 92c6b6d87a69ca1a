import ChunkFormat
import FrameModel
import Kernels
import Support

/// What a test frame shows.
enum CodecContent: String, CaseIterable, Sendable {
  case zeros, ones, gradient, noise, extremes
  /// A smooth surface with edges, holes and a little noise, as a camera sees it.
  case scene

  func sample(_ x: Int, _ y: Int, _ channel: Int, bits: Int) -> UInt32 {
    let largest = bits == 32 ? UInt32.max : (1 << UInt32(bits)) - 1
    let random = SeededGenerator.hash(UInt64(x * 3 + channel), UInt64(y))
    switch self {
    case .zeros: return 0
    case .ones: return largest
    case .gradient: return UInt32(truncatingIfNeeded: 3 * x + 5 * y + 40 * channel) & largest
    case .noise: return UInt32(truncatingIfNeeded: random >> 17) & largest
    case .extremes: return random & 4 == 0 ? 0 : largest
    case .scene:
      let isObject = (x / 23 + y / 17) % 3 == 0
      if SeededGenerator.hash(UInt64(x / 5), UInt64(y / 3)) % 41 == 0 { return 0 }
      let depth = isObject ? 90 + (x + y) / 16 : 160 + y / 8 + channel * 3
      return UInt32(truncatingIfNeeded: depth + Int(random % 3)) & largest
    }
  }
}

struct CodecFrame: Sendable, CustomStringConvertible {
  var layout: FrameLayout
  var bytes: [UInt8]
  var description: String

  init(_ layout: FrameLayout, _ content: CodecContent) {
    self.layout = layout
    bytes = []
    bytes.reserveCapacity(layout.byteCount)
    let sampleByteCount =
      switch layout.format {
      case .depthMillimeters16, .kinectRaw11: 2
      case .disparityFloat32: 4
      default: 1
      }
    let channels = layout.format == .rgb24 ? 3 : 1
    for y in 0..<layout.rowCount {
      for x in 0..<(layout.bytesPerRow / sampleByteCount) {
        let sample = content.sample(x / channels, y, x % channels, bits: 8 * sampleByteCount)
        for part in 0..<sampleByteCount { bytes.append(UInt8(truncatingIfNeeded: sample >> UInt32(8 * part))) }
      }
    }
    description = "\(layout.format.rawValue) \(layout.width)x\(layout.height) \(content)"
  }

  /// 16-bit depth with so many distinct values, or as many as it has pixels.
  init(depthWith distinctCount: Int, width: Int, height: Int) throws {
    layout = try FrameLayout(.depthMillimeters16, width: width, height: height)
    bytes = (0..<(width * height)).flatMap { index -> [UInt8] in
      let step = 65_536 / distinctCount
      // An odd factor visits every value before it repeats one.
      let value = (index * 40_503) % distinctCount * step
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    description = "\(distinctCount) distinct values, \(width)x\(height)"
  }

  /// Depth whose values rise from pixel to pixel: more distinct ones than ranks are used for, and yet easy to compress.
  static func ramp(_ format: PixelFormat) throws -> CodecFrame {
    var frame = CodecFrame(try FrameLayout(format, width: 200, height: 200), .zeros)
    let sampleByteCount = format == .disparityFloat32 ? 4 : 2
    for i in 0..<40_000 {
      frame.bytes[sampleByteCount * i] = UInt8(truncatingIfNeeded: i)
      frame.bytes[sampleByteCount * i + 1] = UInt8(truncatingIfNeeded: i >> 8)
    }
    frame.description = "\(format.rawValue) ramp"
    return frame
  }

  /// RGB24 of one grey, with a little noise in each colour.
  static func coloredNoise(_ layout: FrameLayout) -> CodecFrame {
    var frame = CodecFrame(layout, .zeros)
    for i in frame.bytes.indices { frame.bytes[i] = 100 + UInt8(SeededGenerator.hash(UInt64(i), 1) % 9) }
    frame.description = "\(layout.format.rawValue) \(layout.width)x\(layout.height) of coloured noise"
    return frame
  }

  static let formats = PixelFormat.allCases.filter { $0 != .jpeg }
  static let smallSizes = [(1, 1), (1, 7), (7, 1), (2, 2), (3, 3), (5, 4), (17, 9), (33, 18)]

  static func all(_ sizes: [(Int, Int)]) throws -> [CodecFrame] {
    try formats.flatMap { format in
      try sizes.flatMap { width, height in
        let layout = try FrameLayout(format, width: width, height: height)
        return CodecContent.allCases.map { CodecFrame(layout, $0) }
      }
    }
  }
}

/// What an encoder made of a frame.
struct CodecPayload: Equatable, Sendable {
  var codec: FrameCodec
  var bytes: [UInt8]

  init(codec: FrameCodec, bytes: [UInt8]) {
    self.codec = codec
    self.bytes = bytes
  }

  init(_ frame: CodecFrame, _ effort: EncodingEffort = .best, by encoder: FrameEncoder) throws {
    self = try frame.bytes.withRawBytes { bytes throws(RetakeError) in
      try encoder.encode(bytes, layout: frame.layout, effort: effort) { codec, payload throws(RetakeError) in
        CodecPayload(codec: codec, bytes: Array(payload))
      }
    }
  }

  func decoded(as frame: CodecFrame, by decoder: FrameDecoder) throws(RetakeError) -> [UInt8] {
    let message = FrameMessage(
      number: 3, layout: frame.layout, byteCount: frame.bytes.count, deviceSequence: nil,
      timestamps: FrameTimestamps(
        deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
        presentation: PresentationTime(nanoseconds: 0)),
      flags: [], codec: codec, checksum: frame.bytes.withRawBytes { Checksum.xxh3($0) })
    // Filled, so that what a decoder leaves out shows.
    var output = [UInt8](repeating: 0xA5, count: frame.bytes.count)
    try bytes.withRawBytes { payload throws(RetakeError) in
      try output.withMutableRawBytes { output throws(RetakeError) in
        _ = try decoder.decode(payload, of: message, into: output)
      }
    }
    return output
  }
}
