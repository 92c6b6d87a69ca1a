import Sweeps
import Testing

/// Runs of a sweep.
@Suite struct RunKeyTests {
  @Test
  func `runs are in the order of settings, then of recordings`() {
    let keys = [RunKey(setting: 1, recording: 0), RunKey(setting: 0, recording: 1), RunKey(setting: 0, recording: 0)]
    #expect(keys.sorted() == [keys[2], keys[1], keys[0]])
  }
}
