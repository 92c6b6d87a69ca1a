import CKernels
import Kernels

/// Packs numbers that are mostly 0, 1 or 2 into two bits each. Four of them share a byte, which
/// suits an entropy coder for bytes. Layout: `ranks-med-crumbs` in Guides/FrameCodecs.md.
package enum CrumbPacking {
  static let headerByteCount = 8

  /// Largest encoded size of `count` numbers, in bytes.
  package static func bound(count: Int) -> Int { headerByteCount + (count + 3) / 4 + (count + 1) / 2 + 2 * count }

  /// Elements of scratch memory that `encode` and `decode` need.
  package static func scratchCount(count: Int) -> Int { count + 12 }

  /// - Parameter values: `count` numbers; the three elements after them are overwritten.
  /// - Returns: the number of bytes written, at most `bound(count:)`.
  package static func encode(
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
    // Numbers of 18 or more are moved to the front of `scratch`, in place.
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

  /// - Returns: the count of numbers of 3 or more, which are written to `large`.
  private static func encodeCrumbs(
    _ values: UnsafePointer<UInt16>, byteCount: Int, large: UnsafeMutablePointer<UInt16>,
    into crumbs: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let source = UnsafeRawPointer(values)
    var largeCount = 0
    for i in 0..<byteCount {
      let four = (source + 8 * i).loadUnaligned(as: UInt64.self).littleEndian
      // A lane is 3 or more if it has a bit above the lowest two, before or after adding 1.
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

  /// - Parameter values: room for `count` + 3 elements.
  /// - Returns: false for malformed bytes.
  package static func decode(
    _ source: UnsafeRawBufferPointer, count: Int, scratch: UnsafeMutablePointer<UInt16>,
    into values: UnsafeMutablePointer<UInt16>, processor: Processor = .best
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
    rtk_crumbs_decode(processor.choice, &packed, scratch, values, &isWhole)
    return isWhole
  }
}
