import FrameModel
import Kernels
import MattePipeline
import Media
import Parameters
import Support
import TestSupport

/// A pipeline and frames for it, all drawn from a seed: any parameters, shapes, formats and contents.
struct PipelineFuzzCase {
  let seed: UInt64
  private(set) var description = ""
  private var random: SeededGenerator
  private let color: FrameLayout
  private let depth: FrameLayout?
  private let depthUnit: String
  private let parameters: ParameterSet
  private let frameCount: Int
  private let wanted: PipelineStages
  private let heldOutputs: Int

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let sides = [1, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 47]
    let colors = PixelFormat.allCases.filter { !$0.isDepth && $0 != .grey16 && $0 != .motion }
    let depths: [PixelFormat] = [.depthMillimeters16, .depthMillimeters16, .kinectRaw11, .disparityFloat32, .grey16]
    color = try FrameLayout(random.pick(colors), width: random.pick(sides), height: random.pick(sides))
    depth =
      random.next(below: 12) == 0
      ? nil : try FrameLayout(random.pick(depths), width: random.pick(sides), height: random.pick(sides))
    depthUnit = random.pick(["1000", "100", "1", "1000000", "7"])
    parameters = try Self.parameters(&random)
    frameCount = 1 + random.next(below: 7)
    wanted = random.next(below: 3) > 0 ? .all : PipelineStages(rawValue: UInt8(random.next(below: 32)))
    heldOutputs = 1 + random.next(below: 3)
    let changed = parameters.canonicalText.split(separator: "\n").filter { line in
      !ParameterSet(PipelineParameters.all).canonicalText.contains("\(line)\n")
    }
    description =
      "seed \(seed): \(color.format.rawValue) \(color.width)x\(color.height), "
      + (depth.map { "\($0.format.rawValue) \($0.width)x\($0.height)" } ?? "no depth")
      + ", \(frameCount) frames, " + changed.joined(separator: " ")
  }

  /// Whatever is declared: any of the choices, the ends of ranges and what is between.
  private static func parameters(_ random: inout SeededGenerator) throws -> ParameterSet {
    var set = ParameterSet(PipelineParameters.all)
    if random.next(below: 3) == 0 { set = try random.pick(Preset.all).parameters(PipelineParameters.all) }
    for declaration in PipelineParameters.all where random.next(below: 3) == 0 {
      let text: String
      switch declaration.domain {
      case .integer(let range):
        let small = min(range.lowerBound + random.next(below: 4), range.upperBound)
        let any = range.lowerBound + random.next(below: range.count)
        text = "\(random.pick([range.lowerBound, range.upperBound, small, small, any]))"
      case .real(let range):
        let any = range.lowerBound + random.nextUnit() * (range.upperBound - range.lowerBound)
        text = "\(random.pick([range.lowerBound, range.upperBound, any]))"
      case .flag: text = random.pick(["true", "false"])
      case .fraction: text = random.pick(["1", "1/2", "1/1000000"])
      case .choice(let choices): text = random.pick(choices)
      case .color: text = random.pick(["#000000", "#ffffff", "#12c0fe"])
      case .path, .text, .size, .rate, .frames, .span: continue
      }
      try set.set(declaration.name, to: text)
    }
    return set
  }

  /// What became of a frame set; the same for every number of threads and every processor.
  enum Outcome: Equatable {
    case failed(RetakeError)
    case waiting
    case skipped(PipelineSkip)
    /// All planes, one after the other.
    case planes([[UInt8]])
  }

  /// - Returns: what became of each frame, and sentences about what must not be.
  func run(threadCount: Int, processor: Processor) throws -> (outcomes: [Outcome], faults: [String]) {
    var random = random
    var outcomes: [Outcome] = []
    var faults: [String] = []
    let background = random.next(below: 3) == 0 ? nil : noiseImage(random.side(40), random.side(30), seed: seed)
    let segmenter = random.next(below: 6) == 0 ? nil : FuzzSegmenter(&random)
    let pipeline: MattePipeline
    do throws(RetakeError) {
      var sources = PipelineSources(background: background)
      sources.segmenter = segmenter
      pipeline = try MattePipeline(
        try format(), parameters: parameters, sources: sources, wanted: wanted, heldOutputs: heldOutputs,
        threadCount: threadCount, processor: processor)
    } catch {
      return ([.failed(error)], error.message.isEmpty ? ["an error without a message"] : [])
    }
    var held: [PipelineOutput] = []
    for index in 0...frameCount {
      if random.next(below: 4) == 0 {
        let others = try Self.parameters(&random)
        do throws(RetakeError) { try pipeline.change(to: others, at: index) } catch { outcomes.append(.failed(error)) }
      }
      // After the last frame, what look-ahead still holds.
      let frames = index < frameCount ? try self.frames(index, &random) : nil
      repeat {
        do throws(RetakeError) {
          let result: PipelineResult
          if let frames { result = try pipeline.process(frames) } else { result = try pipeline.drain() }
          switch result {
          case .waiting:
            outcomes.append(.waiting)
          case .skipped(let why): outcomes.append(.skipped(why))
          case .output(let output):
            outcomes.append(.planes(planes(output, pipeline, &faults)))
            if random.next(below: 3) == 0 { held.append(output) } else { held.removeAll() }
          }
        } catch {
          outcomes.append(.failed(error))
          if error.message.isEmpty { faults.append("an error without a message") }
        }
      } while index == frameCount && outcomes.last != .waiting
    }
    return (outcomes, faults)
  }

  private func planes(_ output: PipelineOutput, _ pipeline: MattePipeline, _ faults: inout [String]) -> [[UInt8]] {
    let sizes = pipeline.sizes
    func check(_ name: String, _ size: PictureSize?, _ width: Int?, _ height: Int?) {
      guard let width, let height else { return }
      if size != PictureSize(width, height) { faults.append("\(name) of \(width)x\(height)") }
    }
    check("original", sizes.video, output.original.width, output.original.height)
    check("composite", sizes.video, output.composite.width, output.composite.height)
    check("matte", sizes.video, output.matte?.width, output.matte?.height)
    check("depth", sizes.depth, output.depth?.width, output.depth?.height)
    check("mask", sizes.mask, output.mask?.width, output.mask?.height)
    let all =
      [output.original.bytes, output.composite.bytes]
      + [output.matte?.bytes, output.mask?.bytes, output.depth?.bytes].compactMap(\.self)
    return withExtendedLifetime((output, pipeline)) { all.map { Array($0) } }
  }

  private func format() throws(RetakeError) -> PipelineFormat {
    guard let depth else { return try PipelineFormat(color: color, depth: nil) }
    guard depth.format == .grey16 else { return try PipelineFormat(color: color, depth: depth) }
    var stream = try TestFrames.stream("depth", .depth, depth)
    stream.settings = [StreamDescription.Setting(StreamDescription.depthUnit, depthUnit)]
    return try PipelineFormat(color: try TestFrames.stream("color", .color, color), depth: stream, parameters)
  }

  private func frames(_ index: Int, _ random: inout SeededGenerator) throws -> FrameSet {
    var depthFrame: Frame?
    if let depth, random.next(below: 4) > 0 {
      depthFrame = frame(depth, random.damaged(depthBytes(depth, &random)), number: index)
    }
    let faces = (0..<random.next(below: 3)).map { _ in face(&random) }
    return FrameSet(
      index: index, color: frame(color, random.damaged(try colorBytes(&random)), number: index), depth: depthFrame,
      faces: faces)
  }

  private func colorBytes(_ random: inout SeededGenerator) throws -> [UInt8] {
    guard color.format != .jpeg else {
      return try JPEGEncoder.encode(noiseImage(color.width, color.height, seed: random.next()))
    }
    let value = random.next(below: 3)
    return (0..<color.byteCount).map { _ in value == 0 ? 0 : value == 1 ? 255 : UInt8(random.next(below: 256)) }
  }

  private func depthBytes(_ layout: FrameLayout, _ random: inout SeededGenerator) -> [UInt8] {
    let count = layout.width * layout.height
    let content = random.next(below: 6)
    guard layout.format == .disparityFloat32 else {
      let one = UInt16(random.next(below: 65_536))
      return littleEndianBytes(
        (0..<count).map { i -> UInt16 in
          switch content {
          case 0: 0
          case 1: one
          case 2: UInt16(random.next(below: 65_536))
          case 3: random.next(below: 2) == 0 ? 0 : 65_535
          case 4: UInt16(600 + i % layout.width * 100)
          default: UInt16(500 + random.next(below: 1500))
          }
        })
    }
    let odd: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1]
    let one = random.pick(odd)
    return littleEndianBytes(
      (0..<count).map { i -> UInt32 in
        switch content {
        case 0: Float.nan.bitPattern
        case 1: one.bitPattern
        case 2: UInt32(truncatingIfNeeded: random.next())
        case 3: random.pick(odd).bitPattern
        default: Float(0.2 + random.nextUnit()).bitPattern
        }
      })
  }

  private func face(_ random: inout SeededGenerator) -> FaceObservation {
    let (width, height) = (Double(color.width), Double(color.height))
    let odd: [Double] = [.nan, .infinity, -.infinity, 0, -1e300, 1e300, -7, .leastNonzeroMagnitude]
    func number(_ length: Double, _ random: inout SeededGenerator) -> Double {
      random.next(below: 4) == 0 ? random.pick(odd) : (random.nextUnit() * 1.5 - 0.25) * length
    }
    func angle(_ random: inout SeededGenerator) -> Double? {
      random.next(below: 3) == 0 ? nil : random.next(below: 5) == 0 ? random.pick(odd) : random.nextUnit() * 8 - 4
    }
    return FaceObservation(
      box: FaceObservation.Box(
        x: number(width, &random), y: number(height, &random), width: number(width, &random),
        height: number(height, &random)),
      confidence: random.nextUnit(), roll: angle(&random), pitch: angle(&random), yaw: angle(&random),
      detector: "fuzz")
  }
}

/// A network that says what its numbers tell it, nothing, or that it broke.
private final class FuzzSegmenter: PersonSegmenter {
  let maskSize: (width: Int, height: Int)
  let answer: SegmentationAnswer
  private let seed: UInt64

  init(_ random: inout SeededGenerator) {
    let isImpossible = random.next(below: 20) == 0
    maskSize = isImpossible ? random.pick([(0, 4), (4, -1), (1 << 40, 1)]) : (random.side(40), random.side(40))
    answer = random.pick([.labels, .matte])
    seed = random.next()
  }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
  {
    let mood = SeededGenerator.hash(seed, UInt64(frame.number)) % 10
    if mood == 0 { throw RetakeError(.corrupt, "The network broke.") }
    for i in 0..<maskSize.width * maskSize.height {
      let draw = SeededGenerator.hash(seed, UInt64(frame.number), UInt64(i), UInt64(picture.samples[0]))
      mask[i] = draw % 3 == 0 ? 15 : UInt8(truncatingIfNeeded: draw >> 8)
    }
    return mood > 2
  }
}

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }

  fileprivate mutating func side(_ longest: Int) -> Int { 1 + next(below: longest) }

  /// One frame in sixteen has lost or gained bytes.
  fileprivate mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    guard next(below: 16) == 0 else { return bytes }
    return next(below: 4) == 0 ? bytes + [7] : Array(bytes.prefix(next(below: bytes.count)))
  }
}
