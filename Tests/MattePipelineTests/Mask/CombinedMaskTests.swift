import FrameModel
import Kernels
import MattePipeline
import Parameters
import TestSupport
import Testing

@Suite struct CombinedMaskTests {
  private static let map = DepthMap(40, 10) { x, _ in UInt16(500 + 50 * x) }

  private static func mask(_ assignments: [String], _ map: DepthMap = map) throws -> [UInt8] {
    try #require(try Studio(map, assignments).process(map)).allMask.array
  }

  @Test(
    arguments: ["face", "cutoff", "high-pass", "sharp-high-pass", "band-pass", "all"],
    ["cutoff", "high-pass", "band-pass", "all"])
  func `union, intersection and difference of two depth masks`(first: String, second: String) throws {
    let set = ["mask.cutoff=1.7", "mask.start=1.3", "mask.focus=0.6"]
    let a = try Self.mask(set + ["mask.kind=\(first)"])
    let b = try Self.mask(set + ["mask.kind=\(second)"])
    for (rule, expected) in [
      ("union", zip(a, b).map { max($0, $1) }), ("intersection", zip(a, b).map { min($0, $1) }),
      ("difference", zip(a, b).map { min($0, 255 - $1) }),
    ] {
      let both = try Self.mask(set + ["mask.kind=\(first)", "mask.second=\(second)", "mask.combine=\(rule)"])
      #expect(both.count == expected.count)
      // A byte and what is left of it are rounded from finer samples.
      #expect(zip(both, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(first) \(rule) \(second)")
    }
  }

  @Test
  func `masks of two shapes are laid over each other as they lie over the video`() {
    // 513x513 stretched over 1280x720, and depth of 640x480 by the widths.
    let depth = PlaneGeometry(depthWidth: 640, depthHeight: 480, videoWidth: 1280, videoHeight: 720)
    let stretched = PlaneGeometry(stretchedWidth: 513, stretchedHeight: 513, videoWidth: 1280, videoHeight: 720)
    let places = depth.places(in: stretched)
    #expect(places.columns.count == 640 && places.rows.count == 480)
    for x in 0..<640 { #expect(Int(places.columns[x]) == (2 * x + 1) * 513 / 1280) }
    for y in 0..<480 {
      // The depth map's first and last 60 rows lie above and below the video.
      let videoY = 2 * (Double(y) + 0.5) - 120
      #expect(Int(places.rows[y]) == min(max(Int((videoY * 513 / 720).rounded(.down)), 0), 512))
    }
    let same = depth.places(in: depth)
    #expect(same.columns == (0..<640).map { Int32($0) } && same.rows == (0..<480).map { Int32($0) })
  }

  /// Answers as it is told to, and fills its mask with a value.
  private final class Script: MaskSource {
    let geometry = PlaneGeometry(depthWidth: 4, depthHeight: 2, videoWidth: 4, videoHeight: 2)
    let isSoft = false
    var answer = (MaskUpdate.missing, UInt8(0))
    func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
      if answer.0 == .new { mask.plane.fill(answer.1) }
      return answer.0
    }
  }

  @Test
  func
    `a combination is new when either mask is, missing without the first, and as good as it can be without the second`()
    throws
  {
    let picture = PixelPlane<UInt8>(width: 4, height: 2, channels: 3)
    let frames = FrameSet(index: 0, color: try colorFrame(noiseImage(4, 2, seed: 1)), depth: nil, faces: [])
    let input = MaskInput(frames: frames, picture: picture, newDepth: nil, depthFaces: [], depth: nil)
    for (rule, steps) in [
      (
        "difference",
        [
          ((.missing, 0), (.new, 255), .missing, 0), ((.new, 200), (.held, 0), .new, 0),
          ((.held, 0), (.held, 0), .held, 0), ((.held, 0), (.new, 100), .new, 155),
          ((.held, 0), (.missing, 0), .new, 200), ((.held, 0), (.missing, 0), .held, 200),
          ((.held, 0), (.held, 0), .new, 155), ((.missing, 0), (.new, 255), .missing, 0),
          ((.held, 0), (.held, 0), .new, 0), ((.new, 90), (.missing, 0), .new, 90),
        ]
      ),
      (
        "intersection",
        [
          ((.new, 200), (.missing, 0), .missing, 0), ((.held, 0), (.new, 50), .new, 50),
          ((.new, 20), (.held, 0), .new, 20), ((.held, 0), (.missing, 0), .missing, 0),
          ((.held, 0), (.held, 0), .new, 20),
        ]
      ),
    ] as [(String, [((MaskUpdate, UInt8), (MaskUpdate, UInt8), MaskUpdate, UInt8)])] {
      var parameters = ParameterSet(PipelineParameters.all)
      try parameters.set("mask.combine=\(rule)")
      let (first, second) = (Script(), Script())
      let combined = CombinedMask(first, second, parameters, threadCount: 2, processor: .best)
      let mask = Mask(combined.geometry, isSoft: combined.isSoft)
      for (step, (a, b, update, value)) in steps.enumerated() {
        (first.answer, second.answer) = (a, b)
        #expect(try combined.update(input, into: mask, bands: BandRunner(threadCount: 2)) == update, "\(rule) \(step)")
        if update != .missing { #expect(mask.plane.array.allSatisfy { $0 == value }, "\(rule) \(step)") }
      }
    }
  }
}

@Suite struct MaskChangeTests {
  private static let (width, height) = (20, 10)
  private static let geometry = PlaneGeometry(
    depthWidth: width, depthHeight: height, videoWidth: width, videoHeight: height)

  private static func stage(_ assignments: [String]) throws -> MaskStage {
    var parameters = ParameterSet(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    let format = try PipelineFormat(
      color: FrameLayout(.rgb24, width: width, height: height),
      depth: FrameLayout(.depthMillimeters16, width: width, height: height))
    return try MaskStage(
      format, parameters, depth: geometry, segmenter: nil, threadCount: 1, processor: .best)
  }

  private static func update(
    _ stage: MaskStage, _ millimeters: UInt16, isNew: Bool = true, faces: [FaceObservation] = []
  ) throws -> MaskUpdate {
    let depth = PreparedDepth(geometry)
    depth.millimeters.fill(millimeters)
    let map = DepthMap(width, height) { _, _ in millimeters }
    let frame = try depthFrame(map)
    return try stage.update(
      MaskInput(
        frames: FrameSet(
          index: 0, color: try colorFrame(noiseImage(width, height, seed: 1)), depth: nil, faces: faces),
        picture: PixelPlane(width: width, height: height, channels: 3), newDepth: isNew ? frame : nil,
        depthFaces: faces, depth: depth), bands: BandRunner(threadCount: 1))
  }

  @Test
  func `parameters that change while running keep the face's distance, to which the new offset is added`() throws {
    let old = try Self.stage(["mask.offset=0.25"])
    #expect(try Self.update(old, 800, faces: [MattePipelineTests.face(x: 10, y: 5)]) == .new)
    #expect(old.cutoffMillimeters == 1050)
    let new = try Self.stage(["mask.offset=0.5", "mask.start=3"])
    #expect(new.cutoffMillimeters == 3000)
    new.carryOn(from: old)
    #expect(new.cutoffMillimeters == 1300)
    // The mask is made anew of the depth in force, then it holds.
    #expect(try Self.update(new, 1200, isNew: false) == .new)
    #expect(new.output.plane.array.allSatisfy { $0 == 255 })
    #expect(try Self.update(new, 1200, isNew: false) == .held)
    let other = try Self.stage(["mask.kind=cutoff", "mask.second=face"])
    other.carryOn(from: new)
    let back = try Self.stage([])
    back.carryOn(from: other)
    #expect(back.cutoffMillimeters == 1050)
  }

  @Test
  func `a start that changes before the first face counts at once`() throws {
    let new = try Self.stage(["mask.start=2"])
    new.carryOn(from: try Self.stage([]))
    #expect(new.cutoffMillimeters == 2000)
  }

  @Test
  func `a learned plate stays when parameters change, and the new margin counts`() throws {
    let old = try Self.stage(["mask.kind=plate", "mask.plate-frames=2"])
    #expect(try Self.update(old, 2000) == .missing)
    let still = try Self.stage(["mask.kind=plate", "mask.plate-frames=2", "mask.plate-margin=0.2"])
    still.carryOn(from: old)
    // One frame was seen already.
    #expect(try Self.update(still, 2000) == .new)
    #expect(still.output.plane.array.allSatisfy { $0 == 0 })
    let new = try Self.stage(["mask.kind=cutoff", "mask.second=plate", "mask.plate-margin=0.9"])
    new.carryOn(from: still)
    let last = try Self.stage(["mask.kind=plate", "mask.plate-margin=0.05", "mask.plate-frames=100"])
    last.carryOn(from: new)
    #expect(try Self.update(last, 1900) == .new)
    #expect(last.output.plane.array.allSatisfy { $0 == 255 })
    let fresh = try Self.stage(["mask.kind=plate"])
    fresh.carryOn(from: try Self.stage([]))
    #expect(try Self.update(fresh, 1900) == .missing)
  }
}
