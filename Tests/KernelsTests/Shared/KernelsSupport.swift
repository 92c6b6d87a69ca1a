import Kernels
import Support
import Testing

/// Pixels.
struct ImageSize: Sendable, CustomStringConvertible {
  let width: Int
  let height: Int
  init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
  var count: Int { width * height }
  var description: String { "\(width)x\(height)" }

  /// Where blocks of sixteen, vectors of eight and squares of two do not come out even, and where they do.
  static let odd = [
    ImageSize(1, 1), ImageSize(1, 37), ImageSize(41, 1), ImageSize(3, 5), ImageSize(17, 33),
    ImageSize(32, 16),
    ImageSize(161, 97),
  ]
}

/// Contents that take every way through a kernel: noise, its two extremes, and mostly flat with edges.
enum TestPattern: CaseIterable, Sendable {
  case noise, zeros, ones, blobs, extremes

  func bytes(_ size: ImageSize, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    switch self {
    case .zeros: return [UInt8](repeating: 0, count: size.count)
    case .ones: return [UInt8](repeating: 255, count: size.count)
    case .noise: return (0..<size.count).map { _ in UInt8(generator.next(below: 256)) }
    case .extremes: return (0..<size.count).map { _ in generator.next(below: 2) == 0 ? 0 : 255 }
    case .blobs:
      var bytes = [UInt8](repeating: 0, count: size.count)
      for _ in 0..<3 {
        let x = generator.next(below: size.width)
        let y = generator.next(below: size.height)
        for row in y..<min(size.height, y + 1 + generator.next(below: 30)) {
          for column in x..<min(size.width, x + 1 + generator.next(below: 30)) {
            bytes[row * size.width + column] = 255
          }
        }
      }
      return bytes
    }
  }
}

/// Random parts of 0 ..< rowCount, empty ones too, in random order: as bands may come from threads.
func randomBands(of rowCount: Int, parts: Int, _ generator: inout SeededGenerator) -> [Range<Int>] {
  var cuts = [0, rowCount]
  for _ in 1..<max(parts, 1) { cuts.append(generator.next(below: rowCount + 1)) }
  cuts.sort()
  var bands = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
  for i in bands.indices.reversed() { bands.swapAt(i, generator.next(below: i + 1)) }
  return bands
}

/// A kernel's output with guards on both sides: what it writes besides its rows is seen.
struct GuardedOutput<Sample: FixedWidthInteger> {
  private static var guardCount: Int { 24 }
  private var memory: [Sample]
  private let count: Int

  /// Everything is `poison` at first, which also shows samples that were not written.
  init(count: Int, poison: Sample) {
    self.count = count
    memory = [Sample](repeating: poison, count: count + 2 * Self.guardCount)
  }

  mutating func write(_ body: (UnsafeMutablePointer<Sample>) -> Void) {
    memory.withUnsafeMutableBufferPointer { body($0.baseAddress! + Self.guardCount) }
  }

  var samples: [Sample] { Array(memory[Self.guardCount..<Self.guardCount + count]) }
  func guardsHold(_ poison: Sample) -> Bool {
    memory.prefix(Self.guardCount).allSatisfy { $0 == poison }
      && memory.suffix(Self.guardCount).allSatisfy { $0 == poison }
  }
}

extension MatteSamples {
  /// Samples without padding, and what their blocks hold.
  convenience init(packed: [Int16], width: Int, height: Int) {
    self.init(width: width, height: height)
    for i in packed.indices { row(i / width)[i % width] = packed[i] }
    for block in 0..<stride / Self.blockWidth * height {
      let row = block / (stride / Self.blockWidth)
      let start = block % (stride / Self.blockWidth) * Self.blockWidth
      let samples = (start..<min(start + Self.blockWidth, width)).map { self.row(row)[$0] }
      blocks[block] = samples.allSatisfy { $0 == 0 } ? 0 : samples.allSatisfy { $0 == Self.one } ? 1 : 2
    }
  }

  var packed: [Int16] { (0..<height).flatMap { y in (0..<width).map { row(y)[$0] } } }
}

/// A block that claims to be all 0 or all one is.
func expectBlocksTellTheTruth(_ matte: MatteSamples) {
  var lies = 0
  for block in 0..<matte.stride / MatteSamples.blockWidth * matte.height {
    let samples = UnsafeBufferPointer(
      start: matte.samples + block * MatteSamples.blockWidth, count: MatteSamples.blockWidth)
    switch matte.blocks[block] {
    case 0: lies += samples.allSatisfy { $0 == 0 } ? 0 : 1
    case 1: lies += samples.allSatisfy { $0 == MatteSamples.one } ? 0 : 1
    default: break
    }
  }
  #expect(lies == 0)
}
