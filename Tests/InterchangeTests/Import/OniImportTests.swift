import Foundation
import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// Recordings of OpenNI, made here byte by byte: whole, cut, and with wrong bits.
@Suite struct OniImportTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.oni") }
  init() throws { folder = try TemporaryFolder() }

  private static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
  private static func record(_ kind: UInt32, _ node: UInt32, _ fields: [UInt8], payload: [UInt8] = []) -> [UInt8] {
    Array("NIR\0".utf8) + number(kind) + number(node) + number(UInt32(28 + fields.count))
      + number(UInt32(payload.count)) + number(UInt64(0)) + fields + payload
  }
  private static func name(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count + 1)) + Array(text.utf8) + [0] }

  private static func node(_ node: UInt32, _ kind: UInt32, _ codec: String, _ pixels: UInt64?) -> [UInt8] {
    let mode = [4, 2, 25].flatMap { number(UInt32($0)) }
    return record(13, node, name("Node") + number(kind) + Array(codec.utf8) + [UInt8](repeating: 0, count: 20))
      + record(6, node, name("xnMapOutputMode") + number(UInt32(12)) + mode)
      + (pixels.map { record(3, node, name("oniPixelFormat") + number(UInt32(8)) + number($0)) } ?? [])
  }
  private static func frame(_ node: UInt32, _ microseconds: UInt64, _ count: UInt32, _ payload: [UInt8]) -> [UInt8] {
    record(10, node, number(microseconds) + number(count), payload: payload)
  }

  /// Every form of a step: small ones, repeats, a position behind half a byte, a position, and a larger step.
  private static let depth: [UInt8] =
    [4, 0, 0, 0, 0xF4, 0x01, 0xE8, 0x03, 0xFF, 0xFF, 1, 0] + [0x55, 0xE1, 0x9F, 0x00, 0x02, 0xFF, 193]
  private static let millimeters: [UInt16] = [500, 1000, 65_535, 65_535, 65_535, 0, 1000, 500]
  private static let color = (0..<24).map { UInt8($0) }

  private static let head = Array("NI10".utf8) + [UInt8](repeating: 0, count: 20)
  private static func whole() -> [UInt8] {
    head + node(1, 2, "16zT", 100) + node(2, 3, "NONE", 200) + frame(1, 1000, 7, depth) + frame(2, 500, 3, color)
      + frame(1, 41_000, 8, depth) + frame(2, 40_500, 5, color.reversed()) + record(11, 0, [])
  }

  private func open(_ bytes: [UInt8]) throws -> ImportSource {
    try FileBytes.write(bytes, to: path)
    return try ImportCatalog.open(path)
  }

  @Test func `depth and colour come over with their pixels, times and numbers, in order of time`() throws {
    let source = try open(Self.whole())
    #expect(source.remarks.isEmpty && source.frameCount == 4)
    #expect(source.device.streams.map(\.name) == ["depth", "color"])
    #expect(source.device.streams.map(\.layout.format) == [.depthMillimeters16, .rgb24])
    #expect(source.device.streams.allSatisfy { $0.rate.description == "25" })
    let all = try ImportedFrames.all(of: source)
    #expect(all.failure == nil && all.losses.isEmpty)
    #expect(all.frames.map(\.streamIndex) == [1, 0, 1, 0])
    #expect(all.frames.map(\.deviceTick) == [500, 1000, 40_500, 41_000])
    #expect(all.frames.map(\.deviceSequence) == [3, 7, 5, 8])
    #expect(all.frames.map(\.arrival.nanoseconds) == [0, 500_000, 40_000_000, 40_500_000])
    #expect(all.bytes(ofStream: 0) == [Self.millimeters, Self.millimeters].map { $0.flatMap { Self.number($0) } })
    #expect(all.bytes(ofStream: 1) == [Self.color, Self.color.reversed()])
  }

  @Test func `what is not known is left out by name, and depth of 0.1 mm keeps its unit`() throws {
    let source = try open(
      Self.head + Self.node(1, 2, "NONE", 101) + Self.node(2, 3, "16zP", 200) + Self.node(3, 3, "NONE", nil)
        + Self.frame(1, 0, 1, [UInt8](repeating: 1, count: 16)) + Self.frame(2, 0, 1, [1]) + Self.record(11, 0, []))
    let (stream, remarks) = (source.device.streams[0], source.remarks)
    #expect(source.device.streams.count == 1 && stream.layout.format == .grey16)
    #expect(stream.settings[StreamDescription.depthUnit] == "100")
    #expect(remarks.count == 2 && remarks[0].contains("node 2 (colour as 16zP, 1 frames)"), "\(remarks)")
    let error = #expect(throws: RetakeError.self) { _ = try open(Self.head + Self.record(11, 0, [])) }
    #expect(error?.code == .unsupported)
  }

  @Test func `a frame that is not whole is a loss, and the others come`() throws {
    let short = Array(Self.depth.dropLast(3))
    let wrong: [UInt8] = [1, 0, 0, 0, 9, 0, 0x66]
    let source = try open(
      Self.head + Self.node(1, 2, "16zT", 100) + Self.frame(1, 0, 1, short) + Self.frame(1, 10, 2, wrong)
        + Self.frame(1, 20, 3, []) + Self.frame(1, 30, 4, [UInt8](repeating: 0, count: 4000))
        + Self.frame(1, 40, 5, Self.depth) + Self.record(11, 0, []))
    let all = try ImportedFrames.all(of: source)
    #expect(
      all.frames.map(\.deviceSequence) == [5] && all.losses.map(\.reason) == [.damaged, .damaged, .damaged, .damaged])
  }

  @Test func `cut anywhere: an error, or the whole frames before the cut, and the missing end is said`() throws {
    let whole = Self.whole()
    var counts: Set<Int> = []
    for count in 0..<whole.count {
      guard let source = try? open(Array(whole[..<count])) else { continue }
      let all = try ImportedFrames.all(of: source)
      #expect(source.remarks.contains { $0.contains("lacks its end") }, "cut at \(count)")
      for bytes in all.bytes(ofStream: 0) where source.device.streams[0].kind == .depth {
        #expect(bytes == Self.millimeters.flatMap { Self.number($0) })
      }
      counts.insert(all.frames.count)
    }
    #expect(counts == [1, 2, 3, 4])
  }

  @Test func `every byte with wrong bits: an error or frames of the right size, with bounded memory`() throws {
    let whole = Self.whole()
    var refusedCount = 0
    for place in whole.indices {
      for bits: UInt8 in [0x01, 0x80, 0xFF] {
        var turned = whole
        turned[place] ^= bits
        do {
          let source = try open(turned)
          let all = try ImportedFrames.all(of: source)
          #expect(all.failure == nil)
          for frame in all.frames {
            #expect(frame.byteCount == source.device.streams[frame.streamIndex].layout.byteCount)
          }
        } catch let error as RetakeError {
          #expect([.corrupt, .unsupported].contains(error.code), "byte \(place): \(error)")
          refusedCount += 1
        }
      }
    }
    #expect(refusedCount > 100)
  }
}
