/// Unpacks samples of 10 or 11 bits stored without gaps, highest bit first, as a Kinect v1 sends
/// infrared and depth.
package enum PackedSamples {
  package enum Width: Int, CaseIterable, Sendable {
    case ten = 10
    case eleven = 11
  }

  package static func byteCount(_ width: Width, count: Int) -> Int { (count * width.rawValue + 7) / 8 }

  /// Reads `byteCount(width, count: count)` bytes and writes `count` samples in host byte order.
  package static func unpack(
    _ source: UnsafePointer<UInt8>, _ width: Width, to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let groups = count / 8
    // A constant width compiles to a loop of its own.
    switch width {
    case .ten: unpackGroups(source, bits: 10, to: target, groups: groups)
    case .eleven: unpackGroups(source, bits: 11, to: target, groups: groups)
    }
    unpackOneByOne(source, width, to: target, samples: groups * 8..<count)
  }

  /// The scalar version: handles the remainder and is the tests' reference.
  package static func unpackOneByOne(
    _ source: UnsafePointer<UInt8>, _ width: Width, to target: UnsafeMutablePointer<UInt16>, samples: Range<Int>
  ) {
    for i in samples {
      var sample: UInt16 = 0
      for bit in i * width.rawValue..<(i + 1) * width.rawValue {
        sample = sample << 1 | UInt16(source[bit / 8] >> (7 - UInt8(bit % 8)) & 1)
      }
      target[i] = sample
    }
  }

  /// Eight samples take `bits` bytes, which two overlapping 64-bit words cover.
  @inline(__always)
  private static func unpackGroups(
    _ source: UnsafePointer<UInt8>, bits: Int, to target: UnsafeMutablePointer<UInt16>, groups: Int
  ) {
    let (inFirst, mask) = (64 / bits, UInt16(1) << bits - 1)
    for group in 0..<groups {
      let bytes = source + group * bits
      let (first, last) = (word(bytes), word(bytes + bits - 8))
      let samples = target + group * 8
      for i in 0..<inFirst { samples[i] = UInt16(truncatingIfNeeded: first &>> UInt64(64 - bits * (i + 1))) & mask }
      for i in inFirst..<8 { samples[i] = UInt16(truncatingIfNeeded: last &>> UInt64(bits * (7 - i))) & mask }
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Swaps the bytes of each pair: UYVY to YUYV or back. `byteCount` must be even.
  package static func swapPairs(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, byteCount: Int
  ) {
    typealias Pairs = SIMD8<UInt16>
    let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    var i = 0
    while i + 16 <= byteCount {
      let pairs = from.loadUnaligned(fromByteOffset: i, as: Pairs.self)
      to.storeBytes(of: pairs &<< 8 | pairs &>> 8, toByteOffset: i, as: Pairs.self)
      i += 16
    }
    while i + 2 <= byteCount {
      let (first, second) = (source[i], source[i + 1])
      target[i] = second
      target[i + 1] = first
      i += 2
    }
  }
}
