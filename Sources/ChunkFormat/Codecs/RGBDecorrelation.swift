/// Red, green and blue as luma and two differences, reversible modulo 256: u = r − g + 128, v = b − g + 128,
/// y = g + ⌊(u + v) / 4⌋ − 64, which is about (r + 2g + b) / 4. Of the transforms tried, it gives the smallest files
/// where there is sensor noise, of which the average has less than green alone. The 128 keeps differences of both signs
/// from wrapping around, which would spoil their prediction.
enum RGBDecorrelation {
  typealias Lanes = SIMD16<UInt8>
  typealias Target = UnsafeMutablePointer<UInt8>

  /// - Parameters: count: pixels. y, u, v: up to 15 bytes behind the last are overwritten.
  static func split(
    _ source: UnsafePointer<UInt8>, count: Int, _ y: Target, _ u: Target, _ v: Target
  ) {
    let bytes = UnsafeRawPointer(source)
    var x = 0
    while x + 16 <= count {
      store(separated(bytes + 3 * x), x, y, u, v)
      x += 16
    }
    guard x < count else { return }
    withUnsafeTemporaryAllocation(byteCount: 48, alignment: 16) { rest in
      rest.initializeMemory(as: UInt8.self, repeating: 0)
      rest.copyMemory(from: UnsafeRawBufferPointer(start: bytes + 3 * x, count: 3 * (count - x)))
      if let rest = rest.baseAddress { store(separated(UnsafeRawPointer(rest)), x, y, u, v) }
    }
  }

  /// Four perfect shuffles of 48 bytes bring every third byte together.
  @inline(__always)
  private static func separated(_ bytes: UnsafeRawPointer) -> (Lanes, Lanes, Lanes) {
    var (a, b, c) = (
      bytes.loadUnaligned(as: Lanes.self), (bytes + 16).loadUnaligned(as: Lanes.self),
      (bytes + 32).loadUnaligned(as: Lanes.self)
    )
    for _ in 0..<4 {
      (a, b, c) = (Lanes.zipLowHigh(a, b), Lanes.zipHighLow(a, c), Lanes.zipLowHigh(b, c))
    }
    return (a, b, c)
  }

  @inline(__always)
  private static func store(
    _ pixel: (red: Lanes, green: Lanes, blue: Lanes), _ x: Int, _ y: Target, _ u: Target, _ v: Target
  ) {
    let red = pixel.red &- pixel.green &+ 128
    let blue = pixel.blue &- pixel.green &+ 128
    UnsafeMutableRawPointer(u + x).storeBytes(of: red, as: Lanes.self)
    UnsafeMutableRawPointer(v + x).storeBytes(of: blue, as: Lanes.self)
    UnsafeMutableRawPointer(y + x).storeBytes(of: pixel.green &+ quarter(red, blue) &- 64, as: Lanes.self)
  }

  /// ⌊(u + v) / 4⌋ in 8 bits.
  @inline(__always)
  private static func quarter(_ u: Lanes, _ v: Lanes) -> Lanes { ((u & v) &+ ((u ^ v) &>> 1)) &>> 1 }

  /// The reverse.
  /// - Parameters: count: pixels. y, u, v: up to 15 bytes behind the last are read. target: 3 · count bytes.
  static func join(
    _ y: UnsafePointer<UInt8>, _ u: UnsafePointer<UInt8>, _ v: UnsafePointer<UInt8>, count: Int,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    var bytes = UnsafeMutableRawPointer(target)
    var x = 0
    // A pixel is stored as four bytes, of which the next overwrites the last: the very last is stored apart.
    while x + 16 < count {
      interleave(pixels(UnsafeRawPointer(y + x), UnsafeRawPointer(u + x), UnsafeRawPointer(v + x)), bytes)
      bytes += 48
      x += 16
    }
    withUnsafeTemporaryAllocation(byteCount: 49, alignment: 16) { rest in
      guard let start = rest.baseAddress else { return }
      interleave(pixels(UnsafeRawPointer(y + x), UnsafeRawPointer(u + x), UnsafeRawPointer(v + x)), start)
      bytes.copyMemory(from: start, byteCount: 3 * (count - x))
    }
  }

  @inline(__always)
  private static func pixels(_ y: UnsafeRawPointer, _ u: UnsafeRawPointer, _ v: UnsafeRawPointer) -> (
    red: Lanes, green: Lanes, blue: Lanes
  ) {
    let red = u.loadUnaligned(as: Lanes.self)
    let blue = v.loadUnaligned(as: Lanes.self)
    let green = y.loadUnaligned(as: Lanes.self) &- quarter(red, blue) &+ 64
    return (red &+ green &- 128, green, blue &+ green &- 128)
  }

  /// Stores 16 pixels; one byte behind them is overwritten.
  @inline(__always)
  private static func interleave(
    _ pixel: (red: Lanes, green: Lanes, blue: Lanes), _ target: UnsafeMutableRawPointer
  ) {
    let lowRedGreen = SIMD8<Int16>(bytes: Lanes.zipLow(pixel.red, pixel.green))
    let highRedGreen = SIMD8<Int16>(bytes: Lanes.zipHigh(pixel.red, pixel.green))
    let lowBlue = SIMD8<Int16>(bytes: Lanes.zipLow(pixel.blue, Lanes()))
    let highBlue = SIMD8<Int16>(bytes: Lanes.zipHigh(pixel.blue, Lanes()))
    storeFour(.zipLow(lowRedGreen, lowBlue), target)
    storeFour(.zipHigh(lowRedGreen, lowBlue), target + 12)
    storeFour(.zipLow(highRedGreen, highBlue), target + 24)
    storeFour(.zipHigh(highRedGreen, highBlue), target + 36)
  }

  @inline(__always)
  private static func storeFour(_ pixels: SIMD8<Int16>, _ target: UnsafeMutableRawPointer) {
    let words = unsafeBitCast(pixels, to: SIMD4<UInt32>.self)
    target.storeBytes(of: words[0], as: UInt32.self)
    (target + 3).storeBytes(of: words[1], as: UInt32.self)
    (target + 6).storeBytes(of: words[2], as: UInt32.self)
    (target + 9).storeBytes(of: words[3], as: UInt32.self)
  }
}

extension SIMD8<Int16> {
  @inline(__always)
  fileprivate init(bytes: SIMD16<UInt8>) { self = unsafeBitCast(bytes, to: Self.self) }
}
