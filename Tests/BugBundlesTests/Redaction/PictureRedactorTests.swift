import BugBundles
import FrameModel
import Support
import TestSupport
import Testing

@Suite struct PictureRedactorTests {
  /// What a byte of a packed frame is of: the pixels that it stands for, and which channel. Said here once more, in the
  /// plainest way, so that a wrong grid is noticed.
  private struct ByteMeaning: Hashable {
    var x: Range<Int>
    var y: Range<Int>
    var channel: Int
  }

  private func meanings(_ layout: FrameLayout) -> [ByteMeaning] {
    let (width, height) = (layout.width, layout.height)
    func even(_ value: Int) -> Range<Int> { value / 2 * 2..<value / 2 * 2 + 2 }
    var result: [ByteMeaning] = []
    switch layout.format {
    case .rgb24:
      for y in 0..<height {
        for x in 0..<width { for c in 0..<3 { result.append(.init(x: x..<x + 1, y: y..<y + 1, channel: c)) } }
      }
    case .yuyv:
      for y in 0..<height {
        for x in 0..<(width + 1) / 2 * 2 {
          result.append(.init(x: x..<x + 1, y: y..<y + 1, channel: 0))
          result.append(.init(x: even(x), y: y..<y + 1, channel: 1 + x % 2))
        }
      }
    case .nv12:
      let columns = (width + 1) / 2 * 2
      for y in 0..<height { for x in 0..<columns { result.append(.init(x: x..<x + 1, y: y..<y + 1, channel: 0)) } }
      for y in 0..<(height + 1) / 2 {
        for x in 0..<columns { result.append(.init(x: even(x), y: even(2 * y), channel: 1 + x % 2)) }
      }
    case .grey8:
      for y in 0..<height { for x in 0..<width { result.append(.init(x: x..<x + 1, y: y..<y + 1, channel: 0)) } }
    case .grey16:
      for y in 0..<height {
        for x in 0..<width { for c in 0..<2 { result.append(.init(x: x..<x + 1, y: y..<y + 1, channel: c)) } }
      }
    default:
      for y in 0..<height {
        for x in 0..<width { result.append(.init(x: even(x), y: even(y), channel: y % 2 * 2 + x % 2)) }
      }
    }
    return result
  }

  private static let formats: [PixelFormat] = [
    .rgb24, .yuyv, .nv12, .grey8, .grey16, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8,
  ]

  private func unit(_ format: PixelFormat) -> (width: Int, height: Int) {
    switch format {
    case .rgb24, .grey8, .grey16: (1, 1)
    case .yuyv: (2, 1)
    default: (2, 2)
    }
  }

  @Test func `outside of the surroundings no byte changes, inside little is left, in every format and odd sizes`()
    throws
  {
    let redactor = try PictureRedactor()
    let box = FaceObservation.Box(x: 17.4, y: 9.8, width: 11, height: 13)
    for format in Self.formats {
      for (width, height) in [(64, 48), (63, 47), (30, 25), (1, 1)] {
        let layout = try FrameLayout(format, width: width, height: height)
        let original = TestFrames.buffer(layout, seed: UInt64(width)).copiedBytes
        let boxes = width == 1 ? FaceObservation.Box(x: 0, y: 0, width: 1, height: 1) : box
        let area = try #require(FaceSurroundings(boxes, width: width, height: height))
        let unit = unit(format)
        let x =
          area.x.lowerBound / unit.width * unit.width..<(area.x.upperBound + unit.width - 1) / unit.width * unit.width
        let y =
          area.y.lowerBound / unit.height * unit.height..<(area.y.upperBound + unit.height - 1) / unit.height
          * unit.height
        for manner in [PictureRedactor.Manner.squares, .grey] {
          var frame = original
          try redactor.cover(&frame, layout, [area], manner)
          #expect(frame.count == original.count)
          var outsideChanged = 0
          var values: [Int: Set<UInt8>] = [:]
          var sums: [Int: (before: Int, after: Int, count: Int)] = [:]
          for (index, meaning) in meanings(layout).enumerated() {
            guard meaning.x.overlaps(x), meaning.y.overlaps(y) else {
              outsideChanged += frame[index] == original[index] ? 0 : 1
              continue
            }
            values[meaning.channel, default: []].insert(frame[index])
            sums[meaning.channel, default: (0, 0, 0)].before += Int(original[index])
            sums[meaning.channel]!.after += Int(frame[index])
            sums[meaning.channel]!.count += 1
          }
          #expect(outsideChanged == 0, "\(format) \(width)x\(height)")
          #expect(!values.isEmpty)
          let side = (
            width: (area.squareSide + unit.width - 1) / unit.width * unit.width,
            height: (area.squareSide + unit.height - 1) / unit.height * unit.height
          )
          let squares = max(1, x.count / side.width) * max(1, y.count / side.height)
          #expect(squares <= 16)
          for (channel, known) in values {
            if manner == .grey {
              #expect(known == (format == .grey16 ? channel == 0 ? [0] : [128] : [128]), "\(format)")
            } else {
              #expect(known.count <= squares, "\(format) \(width)x\(height) channel \(channel)")
              // The mean of all is kept, as every square keeps its own.
              let sum = sums[channel]!
              #expect(format == .grey16 || abs(sum.after - sum.before) <= sum.count / 2 + 1, "\(format)")
            }
          }
        }
      }
    }
  }

  @Test func `each square has the one colour that its pixels had in the mean`() throws {
    let layout = try FrameLayout(.rgb24, width: 60, height: 50)
    let original = TestFrames.buffer(layout, seed: 3).copiedBytes
    var frame = original
    let area = try #require(
      FaceSurroundings(.init(x: 20, y: 15, width: 10, height: 10), width: 60, height: 50))
    #expect(area.squareSide == 5 && area.x == 15..<35)
    try PictureRedactor().cover(&frame, layout, [area], .squares)
    for top in stride(from: 10, to: 30, by: 5) {
      for left in stride(from: 15, to: 35, by: 5) {
        for channel in 0..<3 {
          let places = (0..<25).map { ((top + $0 / 5) * 60 + left + $0 % 5) * 3 + channel }
          let mean = (places.reduce(0) { $0 + Int(original[$1]) } + 12) / 25
          #expect(places.allSatisfy { Int(frame[$0]) == mean })
        }
      }
    }
  }

  @Test func `black is black in every format, and as long as the frame`() throws {
    let redactor = try PictureRedactor()
    for format in Self.formats {
      let layout = try FrameLayout(format, width: 9, height: 7)
      for byteCount in [layout.byteCount, layout.byteCount - 5] {
        let black = try redactor.black(layout, byteCount: byteCount)
        #expect(black.count == byteCount)
        let wanted = zip(meanings(layout), black).allSatisfy { meaning, value in
          (format == .yuyv || format == .nv12) && meaning.channel > 0 ? value == 128 : value == 0
        }
        #expect(wanted, "\(format)")
      }
    }
  }

  @Test func `a frame that is not as long as its picture, or is no picture, is refused`() throws {
    let redactor = try PictureRedactor()
    let area = try #require(FaceSurroundings(.init(x: 0, y: 0, width: 4, height: 4), width: 9, height: 7))
    for format in Self.formats + [.depthMillimeters16] {
      let layout = try FrameLayout(format, width: 9, height: 7)
      for difference in format == .depthMillimeters16 ? [0] : [-1, 1] {
        var frame = [UInt8](repeating: 7, count: layout.packed.byteCount + difference)
        #expect {
          try redactor.cover(&frame, layout, [area], .grey)
        } throws: {
          ($0 as? RetakeError)?.code == .corrupt
        }
      }
    }
  }
}
