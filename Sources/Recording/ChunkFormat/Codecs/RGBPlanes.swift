import CKernels
import Kernels

/// Splits RGB into three planes, reversibly modulo 256; formulas in Guides/FrameCodecs.md. Of the
/// transforms tried, these give the smallest files for camera pictures. Differences are offset by
/// 128, so that small ones of both signs do not wrap around, which would spoil their prediction.
package enum RGBPlanes {
  case average, lifted, plain

  typealias Lanes = SIMD16<UInt8>
  package typealias Target = UnsafeMutablePointer<UInt8>
  private typealias Pixels = (Lanes, Lanes, Lanes)

  /// Splits `count` pixels. Up to 15 bytes past the end of each plane are overwritten.
  package func split(_ source: UnsafePointer<UInt8>, count: Int, _ y: Target, _ u: Target, _ v: Target) {
    switch self {
    case .average: Self.split(source, count, y, u, v) { Self.average($0) }
    case .lifted: Self.split(source, count, y, u, v) { Self.lift($0) }
    case .plain: Self.split(source, count, y, u, v) { $0 }
    }
  }

  /// Joins `count` pixels. Up to 15 bytes past the end of each plane are read.
  package func join(
    _ y: UnsafePointer<UInt8>, _ u: UnsafePointer<UInt8>, _ v: UnsafePointer<UInt8>, count: Int, _ target: Target,
    processor: Processor
  ) {
    rtk_planes_join(processor.choice, kind, y, u, v, count, target)
  }

  private var kind: RTKPlanesKind {
    switch self {
    case .average: RTKPlanesAverage
    case .lifted: RTKPlanesLifted
    case .plain: RTKPlanesPlain
    }
  }

  // MARK: Arithmetic

  @inline(__always)
  private static func average(_ pixels: Pixels) -> Pixels {
    let (red, green, blue) = pixels
    let (u, v) = (red &- green &+ 128, blue &- green &+ 128)
    return (green &+ quarter(u, v) &- 64, u, v)
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

  /// Splits 16 pixels: four perfect shuffles of 48 bytes bring every third byte together.
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
}
