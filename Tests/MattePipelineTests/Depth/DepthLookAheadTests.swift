import FrameModel
import MattePipeline
import Media
import Parameters
import Testing

/// E.25: with look-ahead video waits for depth that comes later.
@Suite struct DepthLookAheadTests {
  private struct Given {
    var colorMilliseconds: Int
    /// Number and time of depth that came with it.
    var depth: (number: Int, milliseconds: Int)?
    var faceX: Double = 4
  }

  private struct Made: Equatable {
    var index: Int
    /// The depth in force.
    var depth: Int?
    var isNew: Bool
  }

  private func timed(_ frame: Frame, number: Int, milliseconds: Int) -> Frame {
    var frame = frame
    frame.number = number
    frame.timestamps.presentation = PresentationTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    return frame
  }

  private func run(
    _ sets: [Given], _ assignments: [String],
    map: (Int) -> DepthMap = { n in DepthMap(8, 6) { _, _ in UInt16(1000 + n) } },
    inspect: (PipelineOutput) -> Void = { _ in }
  ) throws -> (made: [Made], waited: Int) {
    var parameters = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    let pipeline = try MattePipeline(
      try PipelineFormat(
        color: FrameLayout(.rgb24, width: 8, height: 6), depth: FrameLayout(.depthMillimeters16, width: 8, height: 6)),
      parameters: parameters, threadCount: 1)
    var made: [Made] = []
    var waited = 0
    func take(_ result: PipelineResult) {
      guard let output = result.output else {
        if case .waiting = result { waited += 1 }
        return
      }
      made.append(Made(index: output.index, depth: output.sourceDepth?.number, isNew: output.depthIsNew))
      inspect(output)
    }
    for (index, given) in sets.enumerated() {
      let color = timed(
        try colorFrame(RGBImage(width: 8, height: 6)), number: index, milliseconds: given.colorMilliseconds)
      let depth = try given.depth.map {
        timed(try depthFrame(map($0.number)), number: $0.number, milliseconds: $0.milliseconds)
      }
      take(
        try pipeline.process(
          FrameSet(index: index, color: color, depth: depth, faces: [face(x: given.faceX, y: 3)])))
    }
    let waitedBefore = waited
    while true {
      let result = try pipeline.drain()
      if case .waiting = result { break }
      take(result)
    }
    return (made, waitedBefore)
  }

  /// Depth on one of so many video frames.
  private static func every(_ period: Int, of count: Int) -> [Given] {
    (0..<count).map { (i: Int) -> Given in
      var given = Given(colorMilliseconds: 30 * i)
      if i % period == 0 { given.depth = (i / period, 30 * i) }
      return given
    }
  }

  /// Depth of the first moment comes two frames later, and so on.
  private static func twoFramesLate(_ count: Int, by milliseconds: Int) -> [Given] {
    (0..<count).map { (i: Int) -> Given in
      var given = Given(colorMilliseconds: 30 * i)
      if i >= 2 { given.depth = (i - 2, 30 * (i - 2) + milliseconds) }
      return given
    }
  }

  @Test
  func `without look-ahead nothing waits and the last depth holds`() throws {
    let (made, waited) = try run(Self.every(3, of: 8), [])
    #expect(waited == 0)
    #expect(made.map(\.depth) == [0, 0, 0, 1, 1, 1, 2, 2])
    #expect(made.map(\.isNew) == [true, false, false, true, false, false, true, false])
  }

  @Test
  func `with look-ahead each video frame gets the depth nearest in time, each once as new`() throws {
    let (made, waited) = try run(Self.every(3, of: 8), ["depth.look-ahead=2"])
    #expect(waited == 2)
    #expect(made.map(\.index) == Array(0..<8))
    #expect(made.map(\.depth) == [0, 0, 1, 1, 1, 2, 2, 2])
    #expect(made.map(\.isNew) == [true, false, true, false, false, true, false, false])
  }

  @Test
  func `of two that are as near the earlier counts`() throws {
    let halves = Self.every(2, of: 6)
    #expect(try run(halves, ["depth.look-ahead=3"]).made.map(\.depth) == [0, 0, 1, 1, 2, 2])
  }

  @Test
  func `depth that comes late is brought to the frames it belongs to`() throws {
    // Depth of the moment comes two frames later.
    let sets = Self.twoFramesLate(7, by: 3)
    #expect(try run(sets, []).made.map(\.depth) == [0, 1, 2, 3, 4])
    #expect(try run(sets, ["depth.look-ahead=2"]).made.map(\.depth) == [0, 1, 2, 3, 4, 4, 4])
    #expect(try run(sets, ["depth.look-ahead=30"]).made.map(\.depth) == [0, 1, 2, 3, 4, 4, 4])
  }

  @Test
  func `the cut-off is that of the face in the video frame that depth came with`() throws {
    // The face wanders over a slope; depth comes two frames late.
    var sets = Self.twoFramesLate(6, by: 0)
    for i in sets.indices { sets[i].faceX = Double(i + 1) }
    var cutoffs: [UInt16] = []
    _ = try run(
      sets, ["depth.look-ahead=2", "mask.face-sample=center-pixel"],
      map: { _ in DepthMap(8, 6) { x, _ in UInt16(100 * x + 500) } }, inspect: { cutoffs.append($0.cutoffMillimeters) })
    // Depth at the face and 250 mm. The last two frames hold the last depth.
    let expected: [UInt16] = [1050, 1150, 1250, 1350, 1350, 1350]
    #expect(cutoffs == expected)
  }

  @Test(arguments: [1, 2, 30])
  func `any times at all are borne, and no more is held than was said`(frameCount: Int) throws {
    let times = [0, 900_000_000_000, -900_000_000_000, 5, 5, 5, 7, -3, 100, 0, 1, 2, 3, 4, 40, 50]
    let sets = times.indices.map { Given(colorMilliseconds: 30 * $0, depth: ($0, times[$0])) }
    let (made, waited) = try run(sets, ["depth.look-ahead=\(frameCount)"])
    #expect(waited == min(frameCount, sets.count))
    #expect(made.map(\.index) == Array(sets.indices))
    // Never back to depth that came earlier.
    #expect(zip(made, made.dropFirst()).allSatisfy { $0.depth! <= $1.depth! })
  }

  @Test
  func `E.25: interpolated depth knows the frame after it as far as look-ahead has it`() throws {
    let sets = Self.every(1, of: 4)
    let values: [UInt16] = [1000, 1008, 0, 1004]
    func depths(_ lookAhead: Int) throws -> [UInt16] {
      var depths: [UInt16] = []
      _ = try run(
        sets, ["depth.temporal=interpolate", "depth.look-ahead=\(lookAhead)"],
        map: { n in DepthMap(8, 6) { _, _ in values[n] } }, inspect: { depths.append($0.allDepth.row(3)[4]) })
      return depths
    }
    // (p + 2c + n + 2) / 4, where a missing neighbour counts as c; a hole is the mean of its neighbours.
    #expect(try depths(1) == [1002, 1006, 1006, 1004])
    #expect(try depths(0) == [1000, 1006, 1008, 1004])
  }
}
