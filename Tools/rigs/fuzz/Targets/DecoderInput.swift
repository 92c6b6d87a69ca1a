import FrameModel

@testable import ChunkFormat

/// The header of a decoder's input: what a frame message would state. The payload follows.
///
/// | byte | |
/// |---|---|
/// | 0 | format |
/// | 1, 2 | width 1 to 96, height 1 to 64: up to more than two vectors and two strips |
/// | 3 | switches |
/// | 4, 5 | byte count of a truncated frame |
struct DecoderInput {
  static let byteCount = 6
  private enum Switch {
    /// Compresses the payload first, because a fuzzer does not produce valid zstd on its own.
    static let packsWithZstd: UInt8 = 1
    /// First turns the payload into something that the codec's encoder could have written.
    static let makesWhole: UInt8 = 2
    static let isCutShort: UInt8 = 4
  }

  let layout: FrameLayout
  let frameByteCount: Int
  let packsWithZstd: Bool
  let makesWhole: Bool

  init?(from input: inout FuzzInput) {
    let format = PixelFormat.allCases[Int(input.byte()) % PixelFormat.allCases.count]
    let (width, height) = (1 + Int(input.byte()) % 96, 1 + Int(input.byte()) % 64)
    guard let layout = try? FrameLayout(format, width: width, height: height) else { return nil }
    self.layout = layout
    let switches = input.byte()
    packsWithZstd = switches & Switch.packsWithZstd != 0
    makesWhole = switches & Switch.makesWhole != 0
    let count = input.word16()
    frameByteCount = switches & Switch.isCutShort != 0 ? min(count, layout.byteCount) : layout.byteCount
  }

  /// Builds an input with this header.
  static func bytes(
    _ layout: FrameLayout, packsWithZstd: Bool, makesWhole: Bool, cutTo count: Int? = nil, _ rest: [UInt8]
  ) -> [UInt8] {
    var switches: UInt8 = 0
    if packsWithZstd { switches |= Switch.packsWithZstd }
    if makesWhole { switches |= Switch.makesWhole }
    if count != nil { switches |= Switch.isCutShort }
    let format = PixelFormat.allCases.firstIndex(of: layout.format) ?? 0
    let short = count ?? 0
    return [
      UInt8(format), UInt8(layout.width - 1), UInt8(layout.height - 1), switches, UInt8(short & 0xFF),
      UInt8(short >> 8),
    ] + rest
  }

  func message(_ codec: FrameCodec, checksum: UInt64) -> FrameMessage {
    FrameMessage(
      number: 1, layout: layout, byteCount: frameByteCount, deviceSequence: nil,
      timestamps: FrameTimestamps(
        deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
        presentation: PresentationTime(nanoseconds: 0)),
      flags: [], codec: codec, checksum: checksum)
  }
}
