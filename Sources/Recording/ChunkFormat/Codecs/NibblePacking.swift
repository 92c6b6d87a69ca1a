/// Residuals in half a byte each where they are small, without an entropy coder: for a recorder that has no time.
///
/// A residual modulo 256 is zigzag coded: 0, −1, 1, −2, … become 0, 1, 2, 3, …. Of every 32, the first 16 are the lower
/// halves of 16 bytes and the others the upper halves; a half is min(code, 15). Behind all halves follow the codes of
/// 15 and more, a byte each, in the order of their residuals. Residuals that fill up the last 32 are 0.
enum NibblePacking {
  typealias Lanes = SIMD16<UInt8>

  static func halvesByteCount(count: Int) -> Int { (count + 31) / 32 * 16 }

  /// The most bytes that so many residuals take, with room for a vector to spare.
  static func bound(count: Int) -> Int { halvesByteCount(count: count) + count + 48 }

  /// - Parameters:
  ///   - residuals: up to 31 more are overwritten.
  ///   - target: `bound(count:)` bytes.
  /// - Returns: the bytes of `target` in use.
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

  /// The code of each residual: twice its magnitude, less one where it is negative.
  @inline(__always)
  private static func zigzag(_ residuals: Lanes) -> Lanes {
    (residuals &<< 1) ^ (0 &- (residuals &>> 7))
  }

  @inline(__always)
  private static func append(_ codes: Lanes, to large: inout UnsafeMutablePointer<UInt8>) {
    // Most groups have none in quiet parts of a picture.
    let words = unsafeBitCast(codes, to: SIMD2<UInt64>.self)
    let any = words[0] | words[1]
    if (any | (any &+ 0x0101_0101_0101_0101)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 { return }
    for lane in 0..<16 {
      large.pointee = codes[lane]
      large += codes[lane] >= 15 ? 1 : 0
    }
  }

  /// - Parameter residuals: room for `count` and 31 more.
  /// - Returns: false for bytes that `encode` does not write.
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

  /// - Returns: false where the large codes have come to their end.
  @inline(__always)
  private static func store(
    _ halves: Lanes, _ large: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    into residuals: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let target = UnsafeMutableRawPointer(residuals)
    target.storeBytes(of: (halves &>> 1) ^ (0 &- (halves & 1)), as: Lanes.self)
    let words = unsafeBitCast(halves, to: SIMD2<UInt64>.self)
    for half in 0..<2 {
      // Bit 4 of every byte that is 15.
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
