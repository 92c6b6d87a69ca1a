import CaptureDevices
import FrameModel
import Testing

@Suite struct SimulatedFaultTests {
  private static let tiny = "size=16x12"

  @Test
  func `dropped frames leave gaps in the sequence, about as many as asked for`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=1000&drop=0.1")
    for stream in 0..<3 {
      let sequences = run.stream(stream).map(\.sequence)
      #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
      // 100 ± 9.5 are expected; five standard deviations.
      #expect(abs(1000 - sequences.count - 100) < 48)
    }
    #expect(run.losses.isEmpty)
    #expect(run.stream(0).map(\.sequence) != run.stream(1).map(\.sequence))
  }

  @Test
  func `a duplicate repeats sequence, tick and bytes, and is flagged`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=300&duplicate=0.2")
    let color = run.stream(0)
    #expect(abs(color.count - 360) < 40)
    for (first, second) in zip(color, color.dropFirst()) {
      #expect(second.flags.contains(.duplicate) == (first.sequence == second.sequence))
      if second.flags.contains(.duplicate) {
        #expect(first.tick == second.tick && first.digest == second.digest && first.arrival < second.arrival)
      }
    }
  }

  @Test
  func `a damaged frame is short and flagged`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=300&damage=0.2")
    for frame in run.stream(0) {
      #expect(frame.flags.contains(.damaged) == (frame.byteCount < 16 * 12 * 3))
    }
    #expect(abs(run.stream(0).count { $0.flags.contains(.damaged) } - 60) < 35)
  }

  @Test
  func `a late frame arrives over a period late, and no frame overtakes another of its stream`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=300&late=0.1")
    let clean = try await simulatedRun("\(Self.tiny)&frames=300")
    let color = run.stream(0)
    for (frame, onTime) in zip(color, clean.stream(0)) {
      let delay = frame.arrival.nanoseconds - onTime.arrival.nanoseconds
      #expect(frame.tick == onTime.tick)
      if frame.flags.contains(.late) { #expect(delay > 33_000_000) } else { #expect(delay >= 0) }
    }
    #expect(
      zip(color, color.dropFirst()).allSatisfy { $0.arrival <= $1.arrival && $0.sequence < $1.sequence })
    #expect(abs(color.count { $0.flags.contains(.late) } - 30) < 27)
  }

  @Test
  func `frames of one instant share their tick, whatever the faults`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=60&drop=0.2&late=0.1&depth-fps=10")
    let ticks = Dictionary(uniqueKeysWithValues: run.stream(0).map { ($0.sequence, $0.tick) })
    for frame in run.stream(2) { #expect(ticks[frame.sequence].map { $0 == frame.tick } ?? true) }
    for frame in run.stream(1) { #expect(ticks[frame.sequence * 3].map { $0 == frame.tick } ?? true) }
    #expect(run.stream(1).map(\.sequence).allSatisfy { $0 < 20 })
  }

  @Test
  func `the device's clock wraps after its bits`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=60&tick-bits=16&fps=25")
    let ticks = run.stream(0).map(\.tick)
    #expect(ticks.allSatisfy { $0 < 65_536 })
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { ($1 &- $0) & 0xFFFF == 40_000 })
    #expect(zip(ticks, ticks.dropFirst()).contains { $0 > $1 })
  }

  @Test
  func `drift makes the device's clock run fast against the arrivals`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=301&drift=500")
    let first = try #require(run.stream(0).first)
    let last = try #require(run.stream(0).last)
    let device = Double(last.tick - first.tick) / 1e6
    let host = Double(last.arrival.nanoseconds - first.arrival.nanoseconds) / 1e9
    #expect(abs(host - 10) < 1e-6)
    #expect(abs(device / host - 1.0005) < 1e-6)
  }

  @Test
  func `jitter delays arrivals by no more than it says, the same in every run`() async throws {
    let run = try await simulatedRun("\(Self.tiny)&frames=200&jitter=5000&fps=25")
    let again = try await simulatedRun("\(Self.tiny)&frames=200&jitter=5000&fps=25")
    let color = run.stream(0)
    let delays = color.map {
      $0.arrival.nanoseconds - 1_000_000_000 - Int64($0.sequence) * 40_000_000 - 13_333_333
    }
    #expect(delays.allSatisfy { (0..<5_000_000).contains($0) })
    #expect((delays.max() ?? 0) > 4_500_000)
    #expect(color.map(\.arrival) == again.stream(0).map(\.arrival))
  }

  @Test
  func `one fault's probability does not change which frames have another`() {
    let alone = FaultSchedule(seed: 3, drop: 0.2)
    let together = FaultSchedule(seed: 3, drop: 0.2, late: 0.5, duplicate: 0.5, damage: 0.5)
    for sequence in 0..<200 {
      #expect(
        alone.faults(stream: 1, sequence: sequence).isDropped
          == together.faults(stream: 1, sequence: sequence).isDropped)
    }
  }
}
