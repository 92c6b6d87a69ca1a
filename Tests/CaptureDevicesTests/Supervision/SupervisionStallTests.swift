import CaptureDevices
import FrameModel
import Support
import Synchronization
import TestSupport
import Testing

/// Devices that fall silent, and drivers that do not return.
@Suite(.long) struct SupervisionStallTests {
  @Test func `a stream that falls silent is named, and its device opened again while others go on`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    // Colour goes on, depth does not.
    for index in 1...21 {
      bench.pass(milliseconds: 100)
      bench.first.deliver(0, index, at: bench.now)
    }
    try bench.wait(for: "the word of it") { !bench.changes.isEmpty }
    let sentence = bench.changes[0].sentence("scripted:1", .wait)
    #expect(
      sentence
        == "scripted:1 has delivered no depth frame for 2.1 s; it is being reopened while the recording continues."
    )
    try bench.wait(for: "its release") { bench.first.isStopped }
    #expect(bench.sink.lossCount(1, .stalled) == 63)
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(second)])
    bench.pass(milliseconds: 900)
    try bench.wait(for: "the return") { second.isStarted }
    bench.deliver(second, index: 0)
    bench.device.stop()
    // 3 s without depth; 0.9 s without colour, or 1 s where the silence was noticed before the last of it.
    #expect(bench.sink.lossCount(1, .stalled) == 89)
    #expect((26...29).contains(bench.sink.lossCount(0, .stalled)))
  }

  @Test func `a device that says which frames it lost is alive, and those are counted once`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    // A disk that stalls leaves the device without buffers.
    for _ in 0..<100 {
      bench.pass(milliseconds: 100)
      for stream in 0..<2 { bench.first.lose(stream, at: bench.now) }
    }
    bench.letItLook()
    #expect(bench.changes.isEmpty && bench.openCount == 0)
    bench.deliver(index: 1)
    #expect(bench.sink.entries.last == .frame(1, index: 1, isRestarted: false))
    bench.first.lose(0, at: bench.now)
    try bench.unplug()
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .dropped) == 101 && bench.sink.lossCount(1, .dropped) == 100)
    #expect(bench.sink.lossCount(0, .disconnected) == 1)
  }

  @Test func `what a device loses before its first frame is part of the gap`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(second)])
    try bench.unplug()
    bench.pass(milliseconds: 900)
    try bench.wait(for: "the return") { second.isStarted }
    second.lose(0, at: bench.now)
    bench.pass(milliseconds: 100)
    bench.deliver(second, index: 0)
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .dropped) == 0 && bench.sink.lossCount(0, .disconnected) == 29)
    #expect(bench.sink.entries.contains(.frame(0, index: 0, isRestarted: true)))
  }

  @Test func `a camera that brings no first frame is named after its timeout`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.pass(milliseconds: 4900)
    bench.letItLook()
    #expect(bench.changes.isEmpty)
    bench.pass(milliseconds: 200)
    try bench.wait(for: "the word of it") { !bench.changes.isEmpty }
    bench.device.stop()
    #expect(bench.changes == [.neverCame(streams: [], nanoseconds: 5_100_000_000)])
    #expect(
      bench.changes[0].sentence("scripted:1", .stop)
        == "scripted:1 has delivered no frame since it started 5.1 s ago.")
    #expect(bench.sink.lossCount(0, .stalled) == 153)
  }

  @Test func `a short timeout is not for the first frame, which a camera may need longer for`() throws {
    let bench = try SupervisionBench { $0.timeoutNanoseconds = 400_000_000 }
    try bench.start()
    bench.pass(milliseconds: 4900)
    bench.letItLook()
    #expect(bench.changes.isEmpty)
    bench.deliver(index: 0)
    bench.pass(milliseconds: 500)
    try bench.wait(for: "the word of it") { !bench.changes.isEmpty }
    bench.device.stop()
    #expect(bench.changes == [.stalled(streams: [], nanoseconds: 500_000_000)])
  }

  @Test func `the slowest rate there is asks for a long wait and nothing else`() throws {
    let slowest = try FrameRate(1, 1_000_000_000)
    #expect(SupervisionOptions().timeoutNanoseconds(slowest, isFirstFrame: false) > 1_000_000_000_000_000_000)
  }

  @Test func `it is said once, however often it is tried`() throws {
    let bench = try SupervisionBench {
      $0.timeoutNanoseconds = 1_000_000_000
      $0.firstFrameNanoseconds = 1_000_000_000
    }
    try bench.start()
    let others = (0..<3).map { _ in ScriptedDevice(bench.first.streams) }
    bench.setOutcomes(others.map { .success($0) })
    for (before, other) in zip([bench.first] + others, others) {
      bench.pass(milliseconds: 1100)
      try bench.wait(for: "its release") { before.isStopped }
      bench.pass(milliseconds: 1100)
      try bench.wait(for: "another attempt") { other.isStarted }
    }
    bench.device.stop()
    #expect(bench.changes.count == 1)
    // One gap over all of them: 6.6 s.
    #expect(bench.sink.lossCount(0, .stalled) == 198)
  }

  @Test func `a slow stream has the time of its frame rate`() throws {
    var stream = try TestFrames.stream("color", .color, FrameLayout(.grey8, width: 8, height: 4))
    stream.rate = try FrameRate(1, 2)
    let bench = try SupervisionBench([stream]) { $0.timeoutNanoseconds = 100_000_000 }
    try bench.start()
    bench.deliver(index: 0)
    bench.pass(milliseconds: 3900)
    bench.letItLook()
    #expect(bench.changes.isEmpty)
    bench.pass(milliseconds: 200)
    try bench.wait(for: "the word of it") { !bench.changes.isEmpty }
    bench.device.stop()
  }

  @Test func `an accelerometer may be silent`() throws {
    let streams = [
      try TestFrames.stream("color", .color, FrameLayout(.grey8, width: 8, height: 4)),
      try TestFrames.stream("motion", .motion, FrameLayout(.motion, width: 6, height: 1)),
    ]
    let bench = try SupervisionBench(streams)
    try bench.start()
    for index in 0..<100 {
      bench.first.deliver(0, index, at: bench.now)
      bench.pass(milliseconds: 100)
    }
    bench.letItLook()
    #expect(bench.changes.isEmpty)
    bench.device.stop()
    #expect(bench.sink.entries.count == 100)
  }

  @Test func `with the policy stop a silent device is the end, and named`() throws {
    let bench = try SupervisionBench { $0.policy = .stop }
    try bench.start()
    bench.deliver(index: 0)
    bench.pass(milliseconds: 2100)
    try bench.wait(for: "the end") {
      if case .finished = bench.sink.entries.last { return true }
      return false
    }
    bench.device.stop()
    guard case .finished(let error?) = bench.sink.entries.last else { return }
    #expect(error.code == .disconnected && error.message.contains("no frame for 2.1 s"))
    #expect(error.hint.contains("--timeout"))
  }

  @Test func `with the policy stop a stream that was well has lost nothing`() throws {
    let bench = try SupervisionBench { $0.policy = .stop }
    try bench.start()
    bench.deliver(index: 0)
    bench.pass(milliseconds: 1990)
    bench.letItLook()
    bench.first.deliver(0, 1, at: bench.now)
    bench.pass(milliseconds: 20)
    try bench.wait(for: "the end") {
      if case .finished = bench.sink.entries.last { return true }
      return false
    }
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .stalled) == 0)
    #expect(bench.sink.lossCount(1, .stalled) == 60)
  }

  @Test func `what a device says while it is stopped is heard`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let time = bench.now
    bench.first.setFarewell { $0.report(CaptureLoss(streamIndex: 1, reason: .stalled, count: 7, arrival: time)) }
    bench.device.stop()
    #expect(bench.sink.lossCount(1, .stalled) == 7)
  }

  @Test func `a driver that does not let go is named and left behind`() throws {
    let bench = try SupervisionBench { $0.patienceNanoseconds = 30_000_000 }
    try bench.start()
    bench.first.hangs.store(true, ordering: .releasing)
    bench.deliver(index: 0)
    bench.device.stop()
    #expect(bench.changes == [.hangs])
    #expect(!bench.first.isStopped)
    let entries = bench.sink.entries
    bench.deliver(index: 1)
    #expect(bench.sink.entries == entries)
    bench.first.hangs.store(false, ordering: .releasing)
    try bench.wait(for: "its end") { bench.first.isStopped }
  }

  @Test func `a device is not opened again before its driver has let go of it`() throws {
    let bench = try SupervisionBench { $0.patienceNanoseconds = 1_000_000_000 }
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(second)])
    try bench.start()
    bench.deliver(index: 0)
    bench.first.hangs.store(true, ordering: .releasing)
    try bench.unplug()
    bench.pass(milliseconds: 5000)
    try bench.wait(for: "the word of it") { bench.changes.last == .hangs }
    #expect(bench.openCount == 0)
    bench.first.hangs.store(false, ordering: .releasing)
    try bench.wait(for: "the return") { second.isStarted }
    bench.device.stop()
  }

  @Test func `one that blocks while it is opened holds up neither the others nor the end`() throws {
    let blocked = try SupervisionBench { $0.patienceNanoseconds = 30_000_000 }
    let well = try SupervisionBench()
    try blocked.start()
    try well.start()
    let second = ScriptedDevice(blocked.first.streams)
    blocked.setOutcomes([.success(second)])
    blocked.setOpeningHangs(true)
    blocked.deliver(index: 0)
    try blocked.unplug()
    blocked.pass(milliseconds: 1000)
    try blocked.wait(for: "the opener") { blocked.isOpening }
    well.deliver(index: 0)
    try well.unplug()
    well.device.stop()

    blocked.device.stop()
    let entries = blocked.sink.entries
    #expect(blocked.sink.lossCount(0, .disconnected) == 30)
    // When the driver returns at last, what it opened is closed, and nobody hears of it.
    blocked.setOpeningHangs(false)
    try blocked.wait(for: "its end") { second.isStopped }
    #expect(!second.isStarted && blocked.sink.entries == entries)
  }

  @Test func `a device that was never started is let go of`() throws {
    let bench = try SupervisionBench()
    bench.device.stop()
    #expect(bench.first.isStopped && bench.sink.entries.isEmpty)
    #expect(throws: RetakeError.self) { try bench.start() }
  }
}
