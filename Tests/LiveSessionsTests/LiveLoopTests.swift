import FrameModel
import LiveSessions
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support
import TestSupport
import Testing

/// The loop of `live` with outputs that fail when they are told to.
@Suite(.long) struct LiveLoopTests {
  private final class Sink: RenderSink {
    var shown: [Int] = []
    var isFinished = false
    let failsAt: Int?
    let failsAtEnd: Bool
    init(failsAt: Int? = nil, failsAtEnd: Bool = false) { (self.failsAt, self.failsAtEnd) = (failsAt, failsAtEnd) }
    func take(_ output: PipelineOutput) throws(RetakeError) {
      if output.index == failsAt { throw RetakeError(.inputOutput, "It failed at \(output.index).") }
      shown.append(output.index)
    }
    func finish() throws(RetakeError) {
      if failsAtEnd { throw RetakeError(.childProcess, "It failed at the end.") }
      isFinished = true
    }
  }

  private let layout: FrameLayout
  private let stream: StreamDescription

  init() throws {
    layout = try FrameLayout(.rgb24, width: 16, height: 12)
    stream = try TestFrames.stream("color", .color, layout)
  }

  private func sets(_ change: (inout LiveFrameSets.Options) -> Void = { _ in }) -> LiveFrameSets {
    var options = LiveFrameSets.Options()
    options.usesDepth = false
    options.limit = 100
    change(&options)
    return LiveFrameSets([stream], isLive: true, faces: .own(.none), options: options)
  }

  private func loop(
    _ sets: LiveFrameSets, _ outputs: RenderOutputs, survivesOutputs: Bool = false,
    onFailure: @escaping (RetakeError) -> Void = { _ in }
  ) throws -> LiveLoop {
    let parameters = ParameterSet(PipelineParameters.all)
    let pipeline = try MattePipeline(
      PipelineFormat(color: stream, depth: nil, parameters), parameters: parameters, wanted: .original, threadCount: 1)
    return LiveLoop(
      sets, pipeline, outputs: outputs, hasClock: false, survivesOutputs: survivesOutputs, onFailure: onFailure)
  }

  private func deliver(_ count: Int, to sets: LiveFrameSets, broken: Set<Int> = []) {
    let sink = sets.sink(firstStream: 0) { _ in }
    for i in 0..<count {
      var frame = TestFrames.captured(layout, stream: 0, index: i)
      if broken.contains(i) { frame.byteCount -= 7 }
      sink.deliver(frame)
    }
  }

  @Test func `a frame that is not whole is left out and counted, and the show goes on`() throws {
    let (sets, sink) = (sets(), Sink())
    var said: [RetakeError] = []
    let loop = try loop(sets, RenderOutputs([("a", sink)])) { said.append($0) }
    deliver(6, to: sets, broken: [2, 3])
    sets.finish()
    while try loop.step() {}
    try loop.finish()
    #expect(sink.shown == [0, 1, 4, 5])
    #expect(sink.isFinished)
    #expect(loop.statistics.failed == 2 && loop.statistics.shown == 4)
    // One word is enough.
    #expect(said.count == 1 && said.first?.code == .corrupt)
  }

  @Test func `an output that fails ends no other, and what is finished is known by name`() throws {
    let (good, bad, late) = (Sink(), Sink(failsAt: 1), Sink(failsAtEnd: true))
    let outputs = RenderOutputs([("bad", bad), ("late", late), ("good", good)])
    let sets = sets()
    var said: [String] = []
    let loop = try loop(sets, outputs) { said.append($0.message) }
    deliver(4, to: sets)
    sets.finish()
    while try loop.step() {}
    let error = #expect(throws: RetakeError.self) { try loop.finish() }
    #expect(error?.message == "It failed at the end.")
    #expect(good.shown == [0, 1, 2, 3] && good.isFinished)
    #expect(bad.shown == [0] && late.shown == [0, 1, 2, 3])
    #expect(outputs.finished == ["good"])
    #expect(outputs.failure?.message == "It failed at 1.")
    #expect(said == ["It failed at 1."])
    #expect(loop.statistics.shown == 4)
  }

  @Test func `without an output left it ends, or where somebody records goes on and counts`() throws {
    let ended = sets()
    let short = try loop(ended, RenderOutputs([("a", Sink(failsAt: 0))]))
    deliver(1, to: ended)
    #expect(throws: RetakeError.self) { _ = try short.step() }
    #expect(short.statistics.leftOut == 1)

    let sets = sets()
    let outputs = RenderOutputs([("a", Sink(failsAt: 2))])
    let long = try loop(sets, outputs, survivesOutputs: true)
    deliver(7, to: sets)
    sets.finish()
    while try long.step() {}
    try long.finish()
    #expect(long.statistics.shown == 2 && long.statistics.leftOut == 5)
    #expect(outputs.isLost && outputs.finished.isEmpty)
  }

  @Test func `sets that nobody took before the end are counted as left out`() throws {
    let sets = sets { $0.limit = 3 }
    deliver(5, to: sets)
    #expect(sets.counts.droppedSets == 2)
    sets.close()
    sets.finish()
    #expect(sets.counts.sets == 5 && sets.counts.droppedSets == 5)
    guard case .ended = sets.next(milliseconds: 0) else {
      Issue.record("a set came after the end")
      return
    }
  }

  @Test func `frames from the end time on are in no set`() throws {
    let sets = sets { $0.endNanoseconds = 100_000_000 }
    #expect(!sets.isAtEnd)
    // The fourth is at 99.999999 ms.
    deliver(10, to: sets)
    #expect(sets.isAtEnd)
    #expect(sets.counts.frames == [4] && sets.counts.sets == 4)
  }
}
