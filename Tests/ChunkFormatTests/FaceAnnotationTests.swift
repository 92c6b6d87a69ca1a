import ChunkFormat
import FrameModel
import Support
import Testing

/// Boxes of faces in foxglove.ImageAnnotations, which may come from anybody.
@Suite struct FaceAnnotationTests {
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var (length, result) = (bytes.count, [number << 3 | 2])
    while length > 127 {
      result.append(UInt8(length & 127) | 128)
      length >>= 7
    }
    return result + [UInt8(length)] + bytes
  }

  private static func point(_ x: Double, _ y: Double) -> [UInt8] {
    func coded(_ key: UInt8, _ value: Double) -> [UInt8] {
      [key] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    return field(3, coded(0x09, x) + coded(0x11, y))
  }

  private static func outline(_ points: [(Double, Double)], type: UInt8 = 2) -> [UInt8] {
    field(2, [0x10, type] + points.flatMap { point($0.0, $0.1) })
  }

  private func boxes(_ bytes: [UInt8]) throws -> [FaceObservation.Box] {
    try bytes.withRawBytes { bytes throws(RetakeError) in try Foxglove.boxes(inAnnotations: bytes) }
  }

  private static let corners = [(1.5, 2.0), (4.0, 2.0), (4.0, 6.0), (1.5, 6.0)]

  @Test func `closed outlines of four corners are boxes, and no other drawing is`() throws {
    let box = FaceObservation.Box(x: 1.5, y: 2, width: 2.5, height: 4)
    #expect(try boxes(Self.outline(Self.corners) + Self.outline(Self.corners)) == [box, box])
    #expect(try boxes([]).isEmpty)
    #expect(try boxes(Self.outline(Self.corners, type: 3)).isEmpty)
    for change: (inout [(Double, Double)]) -> Void in [
      { $0.removeLast() }, { $0.append((1.5, 2)) }, { $0[1].1 = 2.5 }, { $0.reverse() }, { $0[2].0 = .nan },
      { $0 = $0.map { ($0.0 * .infinity, $0.1) } }, { $0 = $0.map { ($0.0 * 1e7, $0.1) } },
      { $0 = $0.map { (3, $0.1) } },
    ] {
      var corners = Self.corners
      change(&corners)
      #expect(try boxes(Self.outline(corners)).isEmpty, "\(corners)")
    }
  }

  @Test func `a message that would take much memory is refused, and so is one that is cut`() throws {
    let small = Self.field(2, [])
    #expect(try boxes(Array([[UInt8]](repeating: small, count: 4096).joined())).isEmpty)
    let point = Self.field(3, [])
    for bad in [
      Array([[UInt8]](repeating: small, count: 4097).joined()),
      Array([[UInt8]](repeating: Self.field(3, []), count: 4097).joined()),
      Self.field(2, Array([[UInt8]](repeating: point, count: 17).joined())),
      Array(Self.outline(Self.corners).dropLast()),
    ] { #expect(throws: RetakeError.self) { try boxes(bad) } }
  }
}
