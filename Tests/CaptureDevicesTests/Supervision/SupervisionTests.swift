import CaptureDevices
import FrameModel
import Support
import TestSupport
import Testing

/// What a supervised device does when the one it holds is unplugged and returns.
@Suite(.long) struct SupervisionTests {
  @Test func `a device that is well is handed on unchanged, to its own end`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    for index in 0..<3 {
      bench.deliver(index: index)
      bench.pass(milliseconds: 33)
    }
    bench.first.finish(nil)
    try bench.wait(for: "the end") { bench.sink.entries.last == .finished(nil) }
    bench.device.stop()
    #expect(
      bench.sink.entries == (0..<3).flatMap { index in
        (0..<2).map { .frame($0, index: UInt64(index), isRestarted: false) }
      } + [.finished(nil)])
    #expect(bench.first.isStopped)
    #expect(bench.changes.isEmpty && bench.openCount == 0)
  }

  @Test func `what was unplugged is taken back, and every frame that was missed is accounted for`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    bench.first.finish(ScriptedDevice.gone)
    // At once, so that a recording which is killed meanwhile says it too.
    try bench.wait(for: "the loss") { bench.changes == [.lost(ScriptedDevice.gone)] }
    #expect(
      bench.sink.entries.suffix(2) == [.loss(0, .disconnected, 1), .loss(1, .disconnected, 1)])
    #expect(bench.device.awaySince == bench.now)
    try bench.wait(for: "its release") { bench.first.isStopped }

    let second = ScriptedDevice(bench.first.streams)
    bench.letItLook()
    #expect(bench.openCount == 0)
    bench.pass(milliseconds: 600)
    try bench.wait(for: "an attempt") { bench.openCount == 1 }
    bench.setOutcomes([.success(second)])
    bench.pass(milliseconds: 1000)
    try bench.wait(for: "the return") { second.isStarted }
    #expect(bench.device.awaySince != nil)
    // 2 s after the last frame: 59 frames of 30 a second would have come between them.
    bench.pass(milliseconds: 400)
    for index in 0..<2 {
      bench.deliver(second, index: index)
      bench.pass(milliseconds: 33)
    }
    try bench.wait(for: "the word of it") { bench.changes.count == 2 }
    #expect(bench.device.awaySince == nil)
    bench.device.stop()
    #expect(
      bench.sink.entries.dropFirst(4) == [
        .loss(0, .disconnected, 58), .frame(0, index: 0, isRestarted: true),
        .loss(1, .disconnected, 58), .frame(1, index: 0, isRestarted: true),
        .frame(0, index: 1, isRestarted: false), .frame(1, index: 1, isRestarted: false),
      ])
    guard case .returned(let span, []) = bench.changes.last else {
      Issue.record("\(bench.changes)")
      return
    }
    #expect(span >= 2_000_000_000)
    #expect(second.isStopped)
  }

  @Test func `a recording that ends while a device is away says how many frames are missing until then`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    try bench.unplug()
    bench.pass(milliseconds: 10_000)
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .disconnected) == 300 && bench.sink.lossCount(1, .disconnected) == 300)
    let entries = bench.sink.entries
    bench.deliver(index: 1)
    bench.first.finish(nil)
    bench.letItLook()
    #expect(bench.sink.entries == entries)
  }

  @Test func `frames that an unplugged device still brings belong to nothing`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    try bench.unplug()
    let entries = bench.sink.entries
    bench.deliver(index: 1)
    #expect(bench.sink.entries == entries)
    bench.device.stop()
  }

  @Test func `a device that came back as something else is refused once in words, and tried again`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let other = ScriptedDevice(try SupervisionBench.streams(.yuyv))
    bench.setOutcomes([.success(other)])
    try bench.unplug()
    for attempt in 1...3 {
      bench.pass(milliseconds: 1100)
      try bench.wait(for: "attempt \(attempt)") { bench.openCount == attempt }
      bench.letItLook()
    }
    #expect(other.isStopped && !other.isStarted)
    #expect(bench.changes.count == 2)
    guard case .refused(let error) = bench.changes.last else {
      Issue.record("\(bench.changes)")
      return
    }
    #expect(error.message.contains("YUYV") && error.message.contains("RGB24"))
    #expect(
      bench.changes.last?.sentence("scripted:1", .wait).contains("reconnect the device that was recorded") == true)
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(second)])
    bench.pass(milliseconds: 1100)
    try bench.wait(for: "the return") { second.isStarted }
    bench.device.stop()
    #expect(second.isStopped)
  }

  @Test func `a device whose streams come one after the other is waited for without words, for a while`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let part = ScriptedDevice([bench.first.streams[0]])
    bench.setOutcomes([.success(part)])
    try bench.unplug()
    for attempt in 1...5 {
      bench.pass(milliseconds: 1100)
      try bench.wait(for: "attempt \(attempt)") { bench.openCount == attempt }
      bench.letItLook()
    }
    #expect(bench.changes.count == 1)
    bench.pass(milliseconds: 1100)
    try bench.wait(for: "the word of it") { bench.changes.count == 2 }
    guard case .refused(let error) = bench.changes.last else {
      Issue.record("\(bench.changes)")
      return
    }
    #expect(error.message.contains("its streams are color, not color, depth"))
    bench.device.stop()
    #expect(part.isStopped && !part.isStarted)
  }

  @Test func `settings that changed meanwhile are said`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    bench.first.finish(ScriptedDevice.gone)
    var streams = bench.first.streams
    streams[0].settings = [.init("seed", "2"), .init("exposure", "7")]
    let second = ScriptedDevice(streams)
    bench.setOutcomes([.success(second)])
    try bench.wait(for: "the loss") { !bench.changes.isEmpty }
    bench.pass(milliseconds: 600)
    try bench.wait(for: "the return") { second.isStarted }
    bench.deliver(second, index: 0)
    try bench.wait(for: "the word of it") { bench.changes.count == 2 }
    bench.device.stop()
    let sentence = bench.changes[1].sentence("scripted:1", .wait)
    #expect(sentence == "scripted:1 is back after 0.6 s. Its settings changed: color seed 2, was 1; color exposure 7.")
  }

  @Test func `one that returns and does not start is tried again, and its gap goes on`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let broken = ScriptedDevice(bench.first.streams, startError: ScriptedDevice.gone)
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(broken), .success(second)])
    try bench.unplug()
    bench.pass(milliseconds: 600)
    try bench.wait(for: "an attempt") { broken.isStopped }
    bench.pass(milliseconds: 1400)
    try bench.wait(for: "the return") { second.isStarted }
    bench.deliver(second, index: 0)
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .disconnected) == 59)
  }

  @Test func `one that returns and ends before its first frame leaves its gap`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let second = ScriptedDevice(bench.first.streams)
    bench.setOutcomes([.success(second)])
    try bench.unplug()
    bench.pass(milliseconds: 600)
    try bench.wait(for: "the return") { second.isStarted }
    bench.pass(milliseconds: 400)
    second.finish(nil)
    try bench.wait(for: "the end") { bench.sink.entries.last == .finished(nil) }
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .disconnected) == 30)
  }

  @Test func `what cannot be helped passes through`() throws {
    let bench = try SupervisionBench()
    try bench.start()
    bench.deliver(index: 0)
    let error = RetakeError(.device, "The scripted camera burnt.")
    bench.first.finish(error)
    try bench.wait(for: "the end") { bench.sink.entries.last == .finished(error) }
    bench.device.stop()
    #expect(bench.openCount == 0 && bench.changes.isEmpty && bench.first.isStopped)
  }

  @Test func `with the policy stop a loss is the end, after its gap`() throws {
    let bench = try SupervisionBench { $0.policy = .stop }
    try bench.start()
    bench.deliver(index: 0)
    bench.first.finish(ScriptedDevice.gone)
    try bench.wait(for: "the end") { bench.sink.entries.last == .finished(ScriptedDevice.gone) }
    bench.device.stop()
    #expect(bench.sink.lossCount(0, .disconnected) == 1 && bench.openCount == 0)
  }
}

/// What counts as the same device.
@Suite struct StreamComparisonTests {
  private let streams: [StreamDescription]
  init() throws { streams = try SupervisionBench.streams() }

  private func difference(_ change: (inout [StreamDescription]) throws -> Void) throws -> String {
    var other = streams
    try change(&other)
    return StreamComparison.difference(streams, other) ?? ""
  }

  @Test func `another unit, kind, layout, rate, clock or number of streams is another device, other settings are not`()
    throws
  {
    #expect(try difference { $0[0].settings = [.init("exposure", "3")] } == "")
    #expect(try difference { $0[1].device = "test:2" } == "it is test:2, not test")
    #expect(try difference { $0.removeLast() } == "its streams are color, not color, depth")
    #expect(try difference { $0[1].kind = .infrared }.contains("its depth is infrared Z16 8x4 at 30 fps"))
    #expect(try difference { $0[0].layout = try FrameLayout(.rgb24, width: 8, height: 3) }.contains("8x3"))
    #expect(try difference { $0[0].rate = try FrameRate(15) }.contains("at 15 fps"))
    #expect(try difference { $0[0].clock = .kinect }.contains("32-bit clock of 60000000 Hz"))
  }
}
