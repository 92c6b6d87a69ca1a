import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// The matte's parameters, as the stage takes them.
@Suite struct MatteStageTests {
  private static let geometry = PlaneGeometry(depthWidth: 64, depthHeight: 48, videoWidth: 160, videoHeight: 90)

  private static func stage(
    _ mask: Mask, _ assignments: [String], scratch: MatteScratch = MatteScratch(), threadCount: Int = 1,
    processor: Processor = .best
  ) throws -> MatteStage {
    var parameters = ParameterSet(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    return MatteStage(mask, parameters, scratch: scratch, threadCount: threadCount, processor: processor)
  }

  /// A person with specks and gaps, moved by `step`.
  private static func fill(_ mask: Mask, step: Int = 0) {
    var generator = SeededGenerator(seed: UInt64(step + 9))
    for y in 0..<48 {
      for x in 0..<64 {
        let isPerson = (x - 24 - step) * (x - 24 - step) + (y - 26) * (y - 26) < 180
        let isFlipped = generator.next(below: 40) == 0
        mask.plane.row(y)[x] = isPerson != isFlipped ? 255 : 0
      }
    }
  }

  private static let picture: PixelPlane<UInt8> = {
    let plane = PixelPlane<UInt8>(width: 160, height: 90, channels: 3)
    let noise = noiseImage(160, 90, seed: 4)
    for i in noise.pixels.indices {
      let isPerson = (i / 3 % 160 - 62) * (i / 3 % 160 - 62) + (i / 480 - 47) * (i / 480 - 47) < 1100
      plane.samples[i] = noise.pixels[i] / 8 + (isPerson ? 150 : 40)
    }
    return plane
  }()

  private static func refined(_ stage: MatteStage, _ mask: Mask, threadCount: Int = 1) -> [UInt8] {
    stage.refine(mask, picture: picture, bands: BandRunner(threadCount: threadCount))
    return stage.output.array
  }

  @Test func `stages with one mask learn its edge once for each picture, and have the pixels that they have alone`()
    throws
  {
    let (mask, scratch) = (Mask(Self.geometry, isSoft: false), MatteScratch(isShared: true, measuresTimes: true))
    let changes = [["matte.refine=color"], ["matte.refine=color", "matte.gamma=2"]]
    let stages = try changes.map { try Self.stage(mask, $0, scratch: scratch) }
    for turn in 1...4 {
      Self.fill(mask, step: turn)
      // Each is the first in turn.
      let (first, second) = (turn % 2, 1 - turn % 2)
      let before = stages.map(\.sharedNanoseconds)
      for place in [first, second] {
        stages[place].refine(mask, turn: turn, picture: Self.picture, bands: BandRunner(threadCount: 1))
        let alone = try Self.refined(Self.stage(mask, changes[place]), mask)
        #expect(stages[place].output.array == alone, "turn \(turn), stage \(place)")
      }
      #expect(stages[first].sharedNanoseconds == before[first])
      #expect(stages[second].sharedNanoseconds > before[second])
    }
  }

  private static let plain = ["matte.blur=0", "matte.gamma=1"]

  @Test(arguments: [
    ["matte.open=1"], ["matte.close=2", "matte.grow=-1"], ["matte.grow=3", "matte.blur=0"], ["matte.feather=in"],
    ["matte.feather=out", "matte.gamma=1"], ["matte.temporal=average"],
    ["matte.temporal=uncertainty", "matte.temporal-weight=0.9"], ["matte.scale=nearest"], ["matte.scale=bilinear"],
    ["matte.guided-radius=3"],
    [
      "matte.open=1", "matte.close=1", "matte.grow=1", "matte.blur=1.5", "matte.feather=in", "matte.gamma=1",
      "matte.temporal=uncertainty", "matte.guided-radius=5", "matte.guided-epsilon=0.0001",
    ],
  ])
  func `every step gives the same bits on 1, 2 and 5 threads and by both processors, frame after frame`(
    assignments: [String]
  ) throws {
    var expected: [[UInt8]]?
    for processor in Processor.available {
      for threadCount in [1, 2, 5] {
        let mask = Mask(Self.geometry, isSoft: false)
        let stage = try Self.stage(mask, assignments, threadCount: threadCount, processor: processor)
        let results = (0..<3).map { step in
          Self.fill(mask, step: 3 * step)
          return Self.refined(stage, mask, threadCount: threadCount)
        }
        expected = expected ?? results
        #expect(results == expected, "\(processor), \(threadCount) threads")
      }
    }
    let mask = Mask(Self.geometry, isSoft: false)
    let unchanged = try Self.stage(mask, [])
    for step in 0..<3 {
      Self.fill(mask, step: 3 * step)
      unchanged.refine(mask, picture: Self.picture, bands: BandRunner(threadCount: 1))
    }
    #expect(unchanged.output.array != expected?.last, "the parameters change something")
  }

  @Test
  func `A.5 the defaults are blur 5, gamma ½, bicubic and nothing else`() throws {
    let mask = Mask(Self.geometry, isSoft: true)
    Self.fill(mask)
    let blur = MaskBlur(sigma: 5, width: 64, height: 48, threadCount: 1)
    let samples = MatteSamples(width: 64, height: 48)
    blur.apply(mask.plane.samples, bend: MatteBend(power: 0.5), to: samples, rows: 0..<48, thread: 0)
    let (horizontal, vertical) = Self.geometry.lines
    let scaling = MatteScaling(
      horizontal: ScaleTable(.bicubic, horizontal), vertical: ScaleTable(.bicubic, vertical), threadCount: 1)
    var expected = [UInt8](repeating: 0, count: 160 * 90)
    scaling.apply(samples, to: &expected, rows: 0..<90, thread: 0)
    #expect(Self.refined(try Self.stage(mask, []), mask) == expected)
  }

  @Test
  func `C.14 a soft mask goes to scaling with its fine steps; with blur, morphology, gamma or feather its bytes do`()
    throws
  {
    let mask = Mask(Self.geometry, isSoft: true)
    Self.fill(mask)
    let hard = Self.refined(try Self.stage(mask, ["matte.blur=1"]), mask)
    let soft = try #require(mask.soft)
    // All the same grey between two bytes: 100.5 of 255.
    for i in 0..<soft.stride * soft.height { soft.samples[i] = 6432 }
    // Samples that are not flat are what a kernel says of them; the test says it by hand, through smoothing.
    let smoothing = MatteSmoothing(.average, weight: 0, width: 64, height: 48)
    smoothing.apply(soft, bands: BandRunner(threadCount: 1))
    #expect(smoothing.output.row(47)[63] == 6432)
    for assignments in [["matte.blur=1"], ["matte.blur=1", "matte.temporal=average"]] {
      #expect(Self.refined(try Self.stage(mask, assignments), mask) == hard)
    }
    for extra in ["matte.gamma=0.9", "matte.feather=in", "matte.open=1", "matte.close=1", "matte.grow=1"] {
      let result = Self.refined(try Self.stage(mask, Self.plain + [extra]), mask)
      #expect(result.contains { $0 > 250 } && result.contains { $0 < 5 }, "\(extra) takes the bytes")
    }
  }

  @Test
  func `B.9 a label mask with nearest scaling stays hard, and lies where the centres say`() throws {
    let mask = Mask(
      PlaneGeometry(stretchedWidth: 51, stretchedHeight: 51, videoWidth: 128, videoHeight: 72), isSoft: false)
    for i in 0..<mask.plane.count { mask.plane.samples[i] = (i * 7919) % 13 < 5 ? 255 : 0 }
    let stage = try Self.stage(mask, Self.plain + ["matte.scale=nearest"])
    let picture = PixelPlane<UInt8>(width: 128, height: 72, channels: 3)
    stage.refine(mask, picture: picture, bands: BandRunner(threadCount: 1))
    var wrong = 0
    for y in 0..<72 {
      for x in 0..<128 {
        let source = mask.plane.row((2 * y + 1) * 51 / 144)[(2 * x + 1) * 51 / 256]
        wrong += stage.output.row(y)[x] == source ? 0 : 1
      }
    }
    #expect(wrong == 0)
  }

  @Test
  func `open takes specks away, close closes gaps, grow moves the outline by its pixels`() throws {
    let mask = Mask(
      PlaneGeometry(depthWidth: 64, depthHeight: 48, videoWidth: 64, videoHeight: 48), isSoft: false)
    for y in 10..<40 { for x in 10..<50 { mask.plane.row(y)[x] = 255 } }
    mask.plane.row(4)[4] = 255  // a speck
    mask.plane.row(25)[30] = 0  // a gap
    func at(_ x: Int, _ y: Int, _ assignments: [String]) throws -> UInt8 {
      let stage = try Self.stage(mask, Self.plain + assignments)
      let picture = PixelPlane<UInt8>(width: 64, height: 48, channels: 3)
      stage.refine(mask, picture: picture, bands: BandRunner(threadCount: 1))
      return stage.output.row(y)[x]
    }
    #expect(try at(4, 4, []) == 255 && at(30, 25, []) == 0)
    #expect(try at(4, 4, ["matte.open=1"]) == 0 && at(10, 25, ["matte.open=1"]) == 255)
    #expect(try at(30, 25, ["matte.close=1"]) == 255 && at(9, 25, ["matte.close=1"]) == 0)
    #expect(try at(6, 20, ["matte.grow=4"]) == 255 && at(5, 20, ["matte.grow=4"]) == 0)
    #expect(try at(14, 20, ["matte.grow=-4"]) == 255 && at(13, 20, ["matte.grow=-4"]) == 0)
    let both = ["matte.open=2", "matte.close=2"]
    #expect(try at(4, 4, both) == 0 && at(30, 25, both) == 255)
  }

  @Test
  func `after a change of parameters the last matte holds, and smoothing goes on from it`() throws {
    let mask = Mask(Self.geometry, isSoft: false)
    let smooth = ["matte.temporal=average", "matte.temporal-weight=0.9"]
    for before in [smooth, []] {
      Self.fill(mask)
      let old = try Self.stage(mask, before)
      let held = Self.refined(old, mask)
      let new = try Self.stage(mask, smooth + ["matte.blur=4"])
      new.carryOn(from: old)
      #expect(new.output.array == held)
      for i in 0..<mask.plane.count { mask.plane.samples[i] = 0 }
      let next = Self.refined(new, mask)
      #expect(next.max()! > 200, "nothing is there any more, but nine tenths of what was")
      #expect(Self.refined(try Self.stage(mask, smooth), mask).max() == 0, "without it, it begins anew")
    }
  }

  @Test
  func `the guided filter brings an outline back that the mask has only roughly`() throws {
    // The picture's person is a disc; the mask's is too large, and out of place.
    let mask = Mask(Self.geometry, isSoft: false)
    for y in 0..<48 {
      for x in 0..<64 { mask.plane.row(y)[x] = (x - 26) * (x - 26) + (y - 24) * (y - 24) < 230 ? 255 : 0 }
    }
    func error(_ assignments: [String]) throws -> Int {
      let matte = Self.refined(
        try Self.stage(mask, ["matte.gamma=1", "matte.blur=1"] + assignments), mask)
      return matte.indices.count { i in
        let (x, y) = (i % 160 - 62, i / 160 - 47)
        return (matte[i] > 127) != (x * x + y * y < 1100)
      }
    }
    let blurred = try error([])
    let guided = try error(["matte.guided-radius=4", "matte.guided-epsilon=0.01"])
    print("Pixels on the wrong side of one half: \(blurred) without the guided filter, \(guided) with it")
    #expect(guided * 2 < blurred, "\(guided) is no better than \(blurred)")
  }
}
