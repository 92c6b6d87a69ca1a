import CaptureDevices
import FrameModel
import TestSupport
import Testing

/// One pair of TUM RGB-D freiburg3_walking_xyz (CC BY 4.0, Sturm et al., IROS 2012), which lies beside the
/// checkout where the project is developed and not in the project.
@Suite struct TUMRealDataTests {
  @Test(.enabled(if: Checkout.hasFixture("tum-walking"), "needs ../shared/fixtures, which a clone lacks"))
  func `a real data set is delivered with colour, depth and mask`() throws {
    let device = try TUMDataSet(DeviceSpecification("tum:\(Checkout.fixture("tum-walking"))"))
    #expect(device.streams.map(\.name) == ["color", "depth", "alpha"])
    #expect(device.streams.allSatisfy { $0.layout.width == 640 && $0.layout.height == 480 })
    #expect(device.streams.map(\.device) == ["tum:tum-walking", "tum:tum-walking", "tum:tum-walking"])
    let (frames, error) = try TUMFolder.deliver(device)
    #expect(error == nil)
    #expect(frames.map(\.streamIndex) == [0, 2, 1])
    #expect(frames.map(\.arrival.nanoseconds) == [0, 0, 62_000])
    let depth = try #require(frames.last?.samples16)
    #expect(depth.allSatisfy { $0 == 0 || (400...10_000).contains($0) }, "a room, in millimetres")
    // What a reader of its own, in Python with zlib alone, makes of the three files.
    #expect(depth.count { $0 == 0 } == 90_325)
    #expect(depth.reduce(0) { $0 + Int($1) } == 644_173_709)
    #expect(frames[0].usedBytes.reduce(0) { $0 + Int($1) } == 104_235_088)
    #expect(frames[1].usedBytes.reduce(0) { $0 + Int($1) } == 27_385_470)
    #expect(Set(frames[1].usedBytes) == [0, 255])
  }
}
