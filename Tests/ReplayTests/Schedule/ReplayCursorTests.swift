import FrameModel
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import Support
import TestSupport
import Testing

/// What the cursor gives is what playing the whole recording, or any part of it in any order, gives.
@Suite struct ReplayCursorTests {
  /// With frame sets that lack depth, and faces that are lost at times.
  private static let made = Result { try SimulatedRecording("frames=90&size=8x6&drop=0.15&face-lost=20-29&alpha=0") }
  private let recording: Recording
  private let entries: [FrameSetEntry]
  private let depthStream: Int

  init() throws {
    recording = try Self.made.get().recording
    entries = try recording.frameSets(0..<Int.max)
    depthStream = try #require(recording.firstStream(.depth))
  }

  private func depthless() -> Set<Int> {
    Set(entries.indices.filter { entries[$0].partner(stream: depthStream) == nil })
  }

  /// A frame set by what it holds: numbers of frames of their streams.
  private struct Given: Equatable {
    var number: Int
    var color: Int
    var depth: Int?
    var faces: [FaceObservation]
  }

  private func given(_ set: FrameSet, first: Int = 0) -> Given {
    Given(number: set.index, color: set.color.number, depth: set.depth?.number, faces: set.faces)
  }

  private func expected(_ set: NaiveDelivery.Played, _ naive: NaiveDelivery) throws -> Given {
    let color = try #require(naive.colors[set.number])
    var faces: [FaceObservation] = []
    if let look = set.look, !naive.schedule.faults.lostFaces.contains(look), let shown = naive.colors[look] {
      faces = entries[shown.number].faces
    }
    return Given(
      number: set.number, color: entries[color.number].master.number,
      depth: set.depth.flatMap { entries[$0.number].partner(stream: depthStream)?.number }, faces: faces)
  }

  private func check(_ counts: ReplayCounts, _ frames: Int) {
    #expect(counts.played == frames)
    #expect(counts.video == counts.depthDelivered + counts.depthHeld + counts.depthMissing)
    #expect(
      counts.depthDue
        == counts.depthDelivered + counts.depthDropped + counts.depthLacking + counts.depthSuperseded)
    #expect(max(counts.depthDuplicated, counts.depthSwapped, counts.depthStuck) <= counts.depthDelivered)
    #expect(max(counts.colorDuplicated, counts.colorSwapped, counts.facesLost) <= counts.video)
  }

  @Test func `the recording is one that shows what is tested`() {
    #expect(entries.count > 60)
    #expect(depthless().count > 3 && depthless().count < 40)
    #expect(entries.contains { !$0.faces.isEmpty })
  }

  @Test(arguments: 0..<250)
  func `any part in any order is what playing it gives, and its counts add up`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parameters = try random.replayParameters(frames: entries.count)
    let naive = NaiveDelivery(DeliverySchedule(parameters), count: entries.count, depthless: depthless())
    var order = PlayOrder(frames: 0..<Int.max)
    if seed % 4 > 0 {
      let first = random.next(below: entries.count)
      order.frames = first..<first + 1 + random.next(below: entries.count - first)
      order.every = random.pick([1, 1, 2, 3, 7, 1000])
      order.isReversed = random.next(below: 2) == 0
      order.passCount = random.pick([1, 1, 3])
    }
    let cursor = try ReplayCursor(
      recording, ReplayPlan(parameters, order: order), threadCount: 1 + random.next(below: 2))
    var clamped = order
    clamped.frames = order.frames.clamped(to: entries.indices)
    let pass = naive.play(clamped)
    var counts = ReplayCounts()
    for number in 0..<(order.passCount ?? 1) where number == 0 || !pass.sets.isEmpty {
      for set in pass.sets {
        let next = try #require(try cursor.next())
        #expect(given(next) == (try expected(set, naive)))
        #expect(cursor.pass == number)
      }
      counts += pass.counts
    }
    #expect(try cursor.next() == nil)
    #expect(cursor.counts == counts)
    check(cursor.counts, counts.played)
  }

  @Test(arguments: 0..<60)
  func `a part from any frame on has the faults of the whole`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parameters = try random.replayParameters(frames: entries.count)
    func play(_ first: Int) throws -> [Given] {
      let cursor = try ReplayCursor(recording, ReplayPlan(parameters, order: PlayOrder(frames: first..<Int.max)))
      var sets: [Given] = []
      while let set = try cursor.next() { sets.append(given(set)) }
      return sets
    }
    let whole = try play(0)
    let first = random.next(below: entries.count)
    let part = try play(first)
    let rest = whole.drop { $0.number < first }
    // The part begins with the depth that holds there.
    #expect(part.first?.depth == whole.prefix { $0.number <= rest.first?.number ?? -1 }.last { $0.depth != nil }?.depth)
    #expect(Array(part.dropFirst()) == Array(rest.dropFirst()))
  }

  @Test(arguments: 0..<40)
  func `a trimmed part that keeps its numbers has the faults of the whole`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parameters = try random.replayParameters(frames: entries.count)
    let first = 1 + random.next(below: 40)
    let folder = try TemporaryFolder()
    let selection = try FrameSelection(recording, frameSets: first..<entries.count)
    _ = try Trim.run(recording, selection, into: RecordingFolder(path: folder.path("b.retake")))
    let part = try Recording(path: folder.path("b.retake"))
    #expect(try part.frameSetCount() == entries.count - first)
    let delivery = DeliverySchedule(parameters)
    let cursor = try ReplayCursor(part, ReplayPlan(delivery, firstNumber: first))
    let whole = try ReplayCursor(
      recording, ReplayPlan(delivery, order: PlayOrder(frames: first..<Int.max)))
    let recorded = RecordedNumbers(0..<entries.count)
    var compared = 0
    while let set = try cursor.next() {
      let other = try #require(try whole.next())
      #expect(set.index == other.index)
      let color = delivery.colorContent(set.index, recorded: recorded)
      // What the part does not have it cannot show.
      guard color.number >= first, !(color.isDuplicate && color.isSwapped) else { continue }
      #expect((set.color.copiedBytes == other.color.copiedBytes) == true)
      compared += 1
    }
    #expect(try whole.next() == nil)
    #expect(compared > 0 || cursor.counts.video < 3 || parameters[ReplayParameters.faults.colorDuplicate] > 0)
    #expect(cursor.counts.video == whole.counts.video)
    #expect(cursor.counts.colorDropped == whole.counts.colorDropped)
  }

  @Test func `a replay without an end goes on, and ends where nothing comes`() throws {
    var order = PlayOrder(frames: 10..<14)
    order.passCount = nil
    let cursor = try ReplayCursor(recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: order))
    for i in 0..<1000 { #expect(try cursor.next()?.index == 10 + i % 4) }
    #expect(cursor.pass == 249)
    var parameters = ParameterSet(ReplayParameters.all)
    try parameters.set("fault.color-drop=1")
    let empty = try ReplayCursor(recording, ReplayPlan(parameters, order: order))
    #expect(try empty.next() == nil)
    #expect(empty.counts.colorDropped == 4 && empty.counts.video == 0)
  }

  @Test func `an order that plays nothing is refused`() throws {
    for (every, passes) in [(0, 1), (-1, 1), (1, 0), (1, -3)] {
      var order = PlayOrder.everything
      (order.every, order.passCount) = (every, passes)
      let error = try #require(throws: RetakeError.self) {
        try ReplayCursor(recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: order))
      }
      #expect(error.code == .usage && !error.hint.isEmpty)
    }
    let beyond = try #require(throws: RetakeError.self) {
      try ReplayCursor(
        recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: PlayOrder(frames: 99..<Int.max)))
    }
    #expect(beyond.code == .unsupported)
    #expect(beyond.message.hasSuffix("no frames in the selected range: its frame sets are 0 to \(entries.count - 1)."))
    for first in [-1, 1 << 41, Int.max] {
      let error = try #require(throws: RetakeError.self) {
        try ReplayCursor(recording, ReplayPlan(schedule: DepthSchedule(rate: .one), firstNumber: first))
      }
      #expect(error.code == .unsupported && !error.hint.isEmpty)
    }
  }

  @Test func `the same frame has the same noise whenever it comes, and no other frame has it`() throws {
    var parameters = ParameterSet(ReplayParameters.all)
    let stuckFrom = try #require((10..<20).first { !depthless().contains($0) })
    for assignment in ["fault.depth-noise=2", "fault.stuck-from=\(stuckFrom)", "fault.stuck-frames=5"] {
      try parameters.set(assignment)
    }
    func depths(_ order: PlayOrder, _ parameters: ParameterSet) throws -> [Int: [UInt8]] {
      let cursor = try ReplayCursor(recording, ReplayPlan(parameters, order: order))
      var depths: [Int: [UInt8]] = [:]
      while let set = try cursor.next() { depths[set.index] = set.depth?.copiedBytes }
      return depths
    }
    let whole = try depths(PlayOrder(frames: 0..<40), parameters)
    var backwards = PlayOrder(frames: 5..<33)
    backwards.isReversed = true
    let reversed = try depths(backwards, parameters)
    for number in 6..<32 { #expect((reversed[number] == whole[number]) == true) }
    let stuck = (stuckFrom..<stuckFrom + 5).compactMap { whole[$0] }
    #expect(stuck.count == 5 && stuck.allSatisfy { $0 == stuck[0] })
    try parameters.set("fault.depth-noise=0")
    let clean = try depths(PlayOrder(frames: 0..<40), parameters)
    for (number, depth) in clean { #expect((whole[number] == depth) == false) }
    try parameters.set("fault.depth-noise=2")
    try parameters.set("fault.seed=9")
    let other = try depths(PlayOrder(frames: 0..<40), parameters)
    for (number, depth) in other { #expect((whole[number] == depth) == false) }
  }
}
