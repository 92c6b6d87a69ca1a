import CKernels
import Kernels

/// Numbers of which most are 0, 1 or 2, in a quarter of a byte each: a form that an entropy coder for bytes serves
/// well, because four small numbers share a symbol.
///
/// | part | bytes |
/// |---|---|
/// | n, how many numbers are 3 or more | 4, little-endian |
/// | w, how many of them are 18 or more | 4, little-endian |
/// | crumbs: min(number, 3), four in a byte, the first in the lowest bits | ⌈count / 4⌉ |
/// | nibbles: min(number − 3, 15) of those with crumb 3, two in a byte, the first in the lower bits | ⌈n / 2⌉ |
/// | number − 18 of those with nibble 15, their low bytes | w |
/// | and their high bytes | w |
///
/// What fills up the last byte of a part is 0.
enum CrumbPacking {
  static let headerByteCount = 8

  /// The most bytes that so many numbers take.
  static func bound(count: Int) -> Int { headerByteCount + (count + 3) / 4 + (count + 1) / 2 + 2 * count }

  /// Numbers of scratch for so many numbers.
  static func scratchCount(count: Int) -> Int { count + 12 }

  /// - Parameters:
  ///   - values: three more are overwritten.
  ///   - scratch: `scratchCount(count:)` numbers.
  ///   - target: `bound(count:)` bytes.
  /// - Returns: the bytes of `target` in use.
  static func encode(
    _ values: UnsafeMutablePointer<UInt16>, count: Int, scratch: UnsafeMutablePointer<UInt16>,
    into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    (values + count).update(repeating: 0, count: 3)
    let crumbByteCount = (count + 3) / 4
    var next = target + headerByteCount
    let largeCount = encodeCrumbs(values, byteCount: crumbByteCount, large: scratch, into: next)
    next += crumbByteCount
    var wideCount = 0
    scratch[largeCount] = 3
    // In place: the wide ones are moved to the front.
    for i in 0..<(largeCount + 1) / 2 {
      let (first, second) = (scratch[2 * i] &- 3, scratch[2 * i + 1] &- 3)
      next[i] = UInt8(truncatingIfNeeded: min(first, 15) | min(second, 15) << 4)
      scratch[wideCount] = first &- 15
      wideCount += first >= 15 ? 1 : 0
      scratch[wideCount] = second &- 15
      wideCount += second >= 15 ? 1 : 0
    }
    next += (largeCount + 1) / 2
    for i in 0..<wideCount {
      next[i] = UInt8(truncatingIfNeeded: scratch[i])
      next[wideCount + i] = UInt8(truncatingIfNeeded: scratch[i] >> 8)
    }
    next += 2 * wideCount
    let header = UnsafeMutableRawPointer(target)
    header.storeBytes(of: UInt32(largeCount).littleEndian, as: UInt32.self)
    header.storeBytes(of: UInt32(wideCount).littleEndian, toByteOffset: 4, as: UInt32.self)
    return next - target
  }

  /// - Returns: how many numbers are 3 or more; they are in `large`.
  private static func encodeCrumbs(
    _ values: UnsafePointer<UInt16>, byteCount: Int, large: UnsafeMutablePointer<UInt16>,
    into crumbs: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let source = UnsafeRawPointer(values)
    var largeCount = 0
    for i in 0..<byteCount {
      let four = (source + 8 * i).loadUnaligned(as: UInt64.self).littleEndian
      // A lane of 3 or more has a bit above the lowest two, itself or after adding 1.
      if (four | (four &+ 0x0001_0001_0001_0001)) & 0xFFFC_FFFC_FFFC_FFFC == 0 {
        crumbs[i] = UInt8(truncatingIfNeeded: four | four >> 14 | four >> 28 | four >> 42)
        continue
      }
      var crumb: UInt64 = 0
      for lane in 0..<4 {
        let value = (four &>> UInt64(16 * lane)) & 0xFFFF
        crumb |= min(value, 3) &<< UInt64(2 * lane)
        large[largeCount] = UInt16(truncatingIfNeeded: value)
        largeCount += value >= 3 ? 1 : 0
      }
      crumbs[i] = UInt8(truncatingIfNeeded: crumb)
    }
    return largeCount
  }

  /// - Parameters:
  ///   - scratch: `scratchCount(count:)` numbers.
  ///   - values: room for `count` numbers and three more.
  /// - Returns: false for bytes that `encode` does not write.
  static func decode(
    _ source: UnsafeRawBufferPointer, count: Int, scratch: UnsafeMutablePointer<UInt16>,
    into values: UnsafeMutablePointer<UInt16>, processor: RTKProcessor = .best
  ) -> Bool {
    guard source.count >= headerByteCount, let base = source.baseAddress else { return false }
    let largeCount = Int(UInt32(littleEndian: source.loadUnaligned(as: UInt32.self)))
    let wideCount = Int(UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    let crumbByteCount = (count + 3) / 4
    let nibbleByteCount = (largeCount + 1) / 2
    guard largeCount <= count, wideCount <= largeCount,
      source.count == headerByteCount + crumbByteCount + nibbleByteCount + 2 * wideCount
    else { return false }
    let crumbs = (base + headerByteCount).assumingMemoryBound(to: UInt8.self)
    let nibbles = crumbs + crumbByteCount
    var packed = RTKCrumbs(
      crumbs: crumbs, crumbByteCount: crumbByteCount, nibbles: nibbles, largeCount: largeCount,
      wide: nibbles + nibbleByteCount, wideCount: wideCount)
    var isWhole = false
    rtk_crumbs_decode(processor, &packed, scratch, values, &isWhole)
    return isWhole
  }
}
