import FrameModel
import Support

/// Frames whose bytes follow from a seed.
package enum TestFrames {
  /// Packed, or with rows as far apart as the layout says; the padding is filled with something else than zero.
  package static func buffer(_ layout: FrameLayout, seed: UInt64, byteCount: Int? = nil) -> FrameBuffer {
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    for i in 0..<(byteCount ?? layout.byteCount) {
      // Blocks of equal bytes, so that there is something to compress.
      buffer.mutableBytes[i] = UInt8(truncatingIfNeeded: SeededGenerator.hash(seed, UInt64(i / 7)) >> 13)
    }
    return buffer
  }

  package static func captured(
    _ layout: FrameLayout, stream: Int, index: Int, seed: UInt64 = 1, tick: UInt64? = nil,
    arrival: Int64? = nil, flags: FrameFlags = [], faces: [FaceObservation] = []
  ) -> CapturedFrame {
    let time = Int64(index) * 33_333_333
    return CapturedFrame(
      streamIndex: stream, layout: layout,
      buffer: buffer(layout, seed: seed &+ UInt64(index) &* 31 &+ UInt64(stream)), byteCount: layout.byteCount,
      deviceSequence: UInt64(index), deviceTick: tick ?? UInt64(time / 1000),
      arrival: MonotonicTime(nanoseconds: arrival ?? time + 5_000_000_000), flags: flags, faces: faces)
  }

  package static func stream(_ name: String, _ kind: StreamKind, _ layout: FrameLayout) throws(RetakeError)
    -> StreamDescription
  {
    StreamDescription(
      name: name, kind: kind, layout: layout, rate: try FrameRate(30), clock: .microseconds, device: "test",
      settings: [.init("seed", "1")])
  }

  /// A colour stream, and a depth stream of half its width and height.
  package static func colorAndDepth(width: Int = 32, height: Int = 24) throws(RetakeError)
    -> (layouts: [FrameLayout], streams: [StreamDescription])
  {
    let color = try FrameLayout(.rgb24, width: width, height: height)
    let depth = try FrameLayout(.depthMillimeters16, width: width / 2, height: height / 2)
    return ([color, depth], [try stream("color", .color, color), try stream("depth", .depth, depth)])
  }
}

extension Frame {
  /// Its bytes, copied while it is alive: a pointer into a buffer that nobody holds is worth nothing.
  package var copiedBytes: [UInt8] { withExtendedLifetime(self) { Array(bytes) } }
}

extension FrameBuffer {
  package var copiedBytes: [UInt8] { withExtendedLifetime(self) { Array(bytes) } }
}
