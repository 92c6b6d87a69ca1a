import FrameModel
import MattePipeline
import Support
import TestSupport
import Testing

@Suite struct CutoffMaskTests {
  private static let map = DepthMap(6, 1, millimeters: [0, 1, 1499, 1500, 1501, 65_535])

  private static func mask(_ assignments: [String], _ map: DepthMap = map) throws -> [UInt8] {
    try #require(try Studio(map, assignments).process(map, faces: [face(x: 1, y: 0)])).allMask.array
  }

  @Test
  func `a fixed cut-off: from 1 mm to the cut-off is the person, whatever faces there are`() throws {
    #expect(try Self.mask(["mask.kind=cutoff", "mask.cutoff=1.5"]) == [0, 255, 255, 255, 0, 0])
    #expect(try Self.mask(["mask.kind=cutoff", "mask.cutoff=0"]) == [0, 0, 0, 0, 0, 0])
    #expect(try Self.mask(["mask.kind=cutoff", "mask.cutoff=65"]) == [0, 255, 255, 255, 255, 0])
  }

  @Test
  func `holes are what mask.holes says, for the cut-off of a face too`() throws {
    for kind in ["mask.kind=cutoff", "mask.kind=face"] {
      let set = [kind, "mask.cutoff=1", "mask.start=1"]
      for (rule, value) in [("auto", 0), ("background", 0), ("foreground", 255), ("near", 0)] as [(String, UInt8)] {
        let mask = try Self.mask(set + ["mask.holes=\(rule)"], DepthMap(3, 1, millimeters: [0, 1000, 1300]))
        #expect(mask == [value, 255, 0])
      }
    }
    #expect(try Self.mask(["mask.kind=cutoff", "mask.cutoff=0", "mask.holes=foreground"]) == [255, 0, 0, 0, 0, 0])
  }

  @Test
  func `a mask of everything shows the video, and needs no depth`() throws {
    let studio = try Studio(Self.map, ["mask.kind=all"], background: noiseImage(9, 9, seed: 4))
    for _ in 0..<3 {
      let output = try #require(try studio.process(nil as Frame?))
      #expect(output.composite.array == studio.video.pixels && output.allMask.array.allSatisfy { $0 == 255 })
      #expect(output.maskIsNew == (output.index == 0))
    }
  }

  @Test
  func `a network's mask without a network is refused with what to set`() throws {
    let error = #expect(throws: RetakeError.self) { try Studio(Self.map, ["mask.kind=segmentation"]) }
    #expect(error?.code == .unsupported && error?.hint.contains("mask.model") == true)
  }
}
