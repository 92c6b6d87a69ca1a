/// Packs small residuals into half a byte each, without an entropy coder: for encoding in little
/// time. Layout: `planes-med-nibbles` in Guides/FrameCodecs.md.
enum NibblePacking {
  typealias Lanes = SIMD16<UInt8>

  static func halvesByteCount(count: Int) -> Int { (count + 31) / 32 * 16 }

  /// Largest encoded size of `count` residuals, in bytes, plus room for a vector.
  static func bound(count: Int) -> Int { halvesByteCount(count: count) + count + 48 }

  /// - Parameter residuals: up to 31 bytes after the first `count` are overwritten.
  /// - Returns: the number of bytes written, at most `bound(count:)`.
  static func encode(
    _ residuals: UnsafeMutablePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let halvesByteCount = halvesByteCount(count: count)
    (residuals + count).update(repeating: 0, count: 2 * halvesByteCount - count)
    let source = UnsafeRawPointer(residuals)
    var large = target + halvesByteCount
    for offset in stride(from: 0, to: halvesByteCount, by: 16) {
      let first = zigzag((source + 2 * offset).loadUnaligned(as: Lanes.self))
      let second = zigzag((source + 2 * offset + 16).loadUnaligned(as: Lanes.self))
      let fifteen = Lanes(repeating: 15)
      UnsafeMutableRawPointer(target + offset).storeBytes(
        of: first.lesser(fifteen) | (second.lesser(fifteen) &<< 4), as: Lanes.self)
      append(first, to: &large)
      append(second, to: &large)
    }
    return large - target
  }

  /// Twice the magnitude of each residual, less one if negative.
  @inline(__always)
  private static func zigzag(_ residuals: Lanes) -> Lanes {
    (residuals &<< 1) ^ (0 &- (residuals &>> 7))
  }

  @inline(__always)
  private static func append(_ codes: Lanes, to large: inout UnsafeMutablePointer<UInt8>) {
    // Most vectors in smooth parts of a picture have no code of 15 or more.
    let words = unsafeBitCast(codes, to: SIMD2<UInt64>.self)
    let any = words[0] | words[1]
    if (any | (any &+ 0x0101_0101_0101_0101)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 { return }
    for lane in 0..<16 {
      large.pointee = codes[lane]
      large += codes[lane] >= 15 ? 1 : 0
    }
  }

  /// - Parameter residuals: room for `count` + 31 bytes.
  /// - Returns: false for malformed bytes.
  static func decode(
    _ source: UnsafeRawBufferPointer, count: Int, into residuals: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let halvesByteCount = halvesByteCount(count: count)
    guard source.count >= halvesByteCount, let halves = source.baseAddress else { return false }
    var large = halves.assumingMemoryBound(to: UInt8.self) + halvesByteCount
    let end = halves.assumingMemoryBound(to: UInt8.self) + source.count
    for offset in stride(from: 0, to: halvesByteCount, by: 16) {
      let pair = (halves + offset).loadUnaligned(as: Lanes.self)
      let target = residuals + 2 * offset
      guard store(pair & 15, &large, end, into: target), store(pair &>> 4, &large, end, into: target + 16) else {
        return false
      }
    }
    return large == end
  }

  /// - Returns: false if the large codes run out.
  @inline(__always)
  private static func store(
    _ halves: Lanes, _ large: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    into residuals: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let target = UnsafeMutableRawPointer(residuals)
    target.storeBytes(of: (halves &>> 1) ^ (0 &- (halves & 1)), as: Lanes.self)
    let words = unsafeBitCast(halves, to: SIMD2<UInt64>.self)
    for half in 0..<2 {
      // Sets bit 4 of each byte that is 15.
      var fifteens = (words[half].littleEndian &+ 0x0101_0101_0101_0101) & 0x1010_1010_1010_1010
      while fifteens != 0 {
        guard large < end else { return false }
        let code = large.pointee
        residuals[8 * half + fifteens.trailingZeroBitCount / 8] = (code &>> 1) ^ (0 &- (code & 1))
        large += 1
        fifteens &= fifteens &- 1
      }
    }
    return true
  }
}
