import Parameters
import Replay
import Sweeps
import Testing

/// What lag is measured beside.
@Suite struct LagReferenceTests {
  private func reference(_ assignments: String...) throws -> ParameterSet? {
    var setting = ParameterSet(ReplaySession.declarations)
    for assignment in assignments { try setting.set(assignment) }
    return try LagReference.parameters(of: setting)
  }

  @Test
  func `a setting that delays nothing is its own reference, whatever its matte`() throws {
    #expect(try reference() == nil)
    #expect(try reference("matte.blur=9", "mask.offset=0.5") == nil)
  }

  @Test
  func `depth that comes seldom, late or smoothed goes back to depth with every frame; the matte stays`() throws {
    for delay in [
      "depth.rate=1/3", "depth.latency=4", "depth.temporal=smooth", "matte.temporal=average", "fault.depth-drop=0.1",
    ] {
      let reference = try #require(try reference(delay, "matte.blur=9"))
      var wanted = ParameterSet(ReplaySession.declarations)
      try wanted.set("matte.blur=9")
      #expect(reference == wanted, "\(delay)")
    }
  }
}
