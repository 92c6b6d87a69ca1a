/// Red, green and blue as three planes, reversible modulo 256. Of the transforms tried, these give the smallest files on
/// cameras' pictures. The 128 keeps differences of both signs from wrapping around, which would spoil their prediction.
///
/// | | planes | where |
/// |---|---|---|
/// | average | y = g + ⌊(u + v) / 4⌋ − 64, about (r + 2g + b) / 4; u = r − g + 128; v = b − g + 128 | `planes-med-tiles`, `planes-med-nibbles` |
/// | lifted | h = g + ⌊d / 2⌋ − 64, about (r + g) / 2; d = r − g + 128; e = b − h + 128 | `lifted-med-columns` |
/// | plain | r, g, b | `rgb-med-columns` |
enum RGBPlanes {
  case average, lifted, plain

  typealias Lanes = SIMD16<UInt8>
  typealias Target = UnsafeMutablePointer<UInt8>
  private typealias Pixels = (Lanes, Lanes, Lanes)

  /// - Parameters: count: pixels. y, u, v: up to 15 bytes behind the last are overwritten.
  func split(_ source: UnsafePointer<UInt8>, count: Int, _ y: Target, _ u: Target, _ v: Target) {
    switch self {
    case .average: Self.split(source, count, y, u, v) { Self.average($0) }
    case .lifted: Self.split(source, count, y, u, v) { Self.lift($0) }
    case .plain: Self.split(source, count, y, u, v) { $0 }
    }
  }

  /// The reverse.
  /// - Parameters: count: pixels. y, u, v: up to 15 bytes behind the last are read. target: 3 · count bytes.
  func join(
    _ y: UnsafePointer<UInt8>, _ u: UnsafePointer<UInt8>, _ v: UnsafePointer<UInt8>, count: Int, _ target: Target
  ) {
    switch self {
    case .average: Self.join(y, u, v, count, target) { Self.undoAverage($0) }
    case .lifted: Self.join(y, u, v, count, target) { Self.undoLift($0) }
    case .plain: Self.join(y, u, v, count, target) { $0 }
    }
  }

  // MARK: Arithmetic

  @inline(__always)
  private static func average(_ pixels: Pixels) -> Pixels {
    let (red, green, blue) = pixels
    let (u, v) = (red &- green &+ 128, blue &- green &+ 128)
    return (green &+ quarter(u, v) &- 64, u, v)
  }

  @inline(__always)
  private static func undoAverage(_ planes: Pixels) -> Pixels {
    let (y, u, v) = planes
    let green = y &- quarter(u, v) &+ 64
    return (u &+ green &- 128, green, v &+ green &- 128)
  }

  /// ⌊(u + v) / 4⌋ in 8 bits.
  @inline(__always)
  private static func quarter(_ u: Lanes, _ v: Lanes) -> Lanes { ((u & v) &+ ((u ^ v) &>> 1)) &>> 1 }

  @inline(__always)
  private static func lift(_ pixels: Pixels) -> Pixels {
    let (red, green, blue) = pixels
    let d = red &- green &+ 128
    let h = green &+ (d &>> 1) &- 64
    return (h, d, blue &- h &+ 128)
  }

  @inline(__always)
  private static func undoLift(_ planes: Pixels) -> Pixels {
    let (h, d, e) = planes
    let green = h &- (d &>> 1) &+ 64
    return (d &+ green &- 128, green, e &+ h &- 128)
  }

  // MARK: Lanes

  @inline(__always)
  private static func split(
    _ source: UnsafePointer<UInt8>, _ count: Int, _ y: Target, _ u: Target, _ v: Target, _ transform: (Pixels) -> Pixels
  ) {
    let bytes = UnsafeRawPointer(source)
    func store(_ planes: Pixels, _ x: Int) {
      UnsafeMutableRawPointer(y + x).storeBytes(of: planes.0, as: Lanes.self)
      UnsafeMutableRawPointer(u + x).storeBytes(of: planes.1, as: Lanes.self)
      UnsafeMutableRawPointer(v + x).storeBytes(of: planes.2, as: Lanes.self)
    }
    var x = 0
    while x + 16 <= count {
      store(transform(separated(bytes + 3 * x)), x)
      x += 16
    }
    guard x < count else { return }
    withUnsafeTemporaryAllocation(byteCount: 48, alignment: 16) { rest in
      rest.initializeMemory(as: UInt8.self, repeating: 0)
      rest.copyMemory(from: UnsafeRawBufferPointer(start: bytes + 3 * x, count: 3 * (count - x)))
      if let rest = rest.baseAddress { store(transform(separated(UnsafeRawPointer(rest))), x) }
    }
  }

  /// Four perfect shuffles of 48 bytes bring every third byte together.
  @inline(__always)
  private static func separated(_ bytes: UnsafeRawPointer) -> Pixels {
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
  private static func join(
    _ y: UnsafePointer<UInt8>, _ u: UnsafePointer<UInt8>, _ v: UnsafePointer<UInt8>, _ count: Int, _ target: Target,
    _ transform: (Pixels) -> Pixels
  ) {
    func pixels(_ x: Int) -> Pixels {
      transform(
        (
          UnsafeRawPointer(y + x).loadUnaligned(as: Lanes.self), UnsafeRawPointer(u + x).loadUnaligned(as: Lanes.self),
          UnsafeRawPointer(v + x).loadUnaligned(as: Lanes.self)
        ))
    }
    var bytes = UnsafeMutableRawPointer(target)
    var x = 0
    // A pixel is stored as four bytes, of which the next overwrites the last: the very last is stored apart.
    while x + 16 < count {
      interleave(pixels(x), bytes)
      bytes += 48
      x += 16
    }
    withUnsafeTemporaryAllocation(byteCount: 49, alignment: 16) { rest in
      guard let start = rest.baseAddress else { return }
      interleave(pixels(x), start)
      bytes.copyMemory(from: start, byteCount: 3 * (count - x))
    }
  }

  /// Stores 16 pixels; one byte behind them is overwritten.
  @inline(__always)
  private static func interleave(
    _ pixels: Pixels, _ target: UnsafeMutableRawPointer
  ) {
    let (red, green, blue) = pixels
    let lowRedGreen = SIMD8<Int16>(bytes: Lanes.zipLow(red, green))
    let highRedGreen = SIMD8<Int16>(bytes: Lanes.zipHigh(red, green))
    let lowBlue = SIMD8<Int16>(bytes: Lanes.zipLow(blue, Lanes()))
    let highBlue = SIMD8<Int16>(bytes: Lanes.zipHigh(blue, Lanes()))
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
