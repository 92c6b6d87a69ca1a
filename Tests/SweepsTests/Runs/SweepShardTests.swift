import FrameModel
import Support
import Sweeps
import Testing

/// Parts of a sweep.
@Suite struct SweepShardTests {
  @Test
  func `all parts together are every setting once, in order, and of nearly one size`() throws {
    for count in [1, 2, 3, 7, 16, 100] {
      for settings in [0, 1, 5, 16, 17, 1000] {
        let parts = try (1...count).map { try SweepShard("\($0)/\(count)").settings(of: settings) }
        #expect(parts.flatMap { Array($0) } == Array(0..<settings))
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }

  @Test(arguments: ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/2/3", "a/b", "1/", "1/1000000", "1.5/3"])
  func `what is not a part of so many is refused`(text: String) {
    let error = #expect(throws: RetakeError.self) { try SweepShard(text) }
    #expect(error?.code == .usage)
  }
}
