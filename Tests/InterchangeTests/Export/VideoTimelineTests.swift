import FrameModel
import Interchange
import Testing

/// A video of constant rate says truly when its frames were taken.
@Suite struct VideoTimelineTests {
  private static let period = 33_333_333.333

  /// How many pictures are held before each frame; -1 for a frame without a place.
  private func gaps(_ times: [Double], start: Double = 0, rate: FrameRate? = nil) throws -> [Int] {
    var timeline = VideoTimeline(
      rate: try rate ?? FrameRate(30), start: PresentationTime(nanoseconds: Int64(start)))
    return times.map { timeline.place(PresentationTime(nanoseconds: Int64($0))) ?? -1 }
  }

  @Test(arguments: [0, 0.25, 0.5, 0.75, 0.99]) func `no phase and no jitter repeats or loses a frame`(phase: Double)
    throws
  {
    // Up to a tenth of a period early or late.
    let times = (0..<300).map { (index: Int) -> Double in
      let jitter = Double(index * 37 % 21 - 10) / 100
      return (Double(index) + phase + jitter) * Self.period
    }
    let found = try gaps(times)
    #expect(found[0] == (phase - 0.1 < 0.5 ? 0 : 1))
    #expect(found.dropFirst().allSatisfy { $0 == 0 })
  }

  @Test func `a missing frame is one held picture, where it is missing`() throws {
    let taken = [0, 1, 2, 4, 5, 9, 10]
    #expect(try gaps(taken.map { Double($0) * Self.period }) == [0, 0, 0, 1, 0, 3, 0])
  }

  @Test func `a stream that begins later begins later`() throws {
    #expect(try gaps([10 * Self.period, 11 * Self.period]) == [10, 0])
    #expect(try gaps([10 * Self.period, 11 * Self.period], start: 8 * Self.period) == [2, 0])
    #expect(try gaps([-Self.period, 0], start: 0) == [0, 0])
  }

  @Test(arguments: [0.99, 1.01]) func `a camera off its rate stays within a period of the truth`(speed: Double) throws {
    var timeline = VideoTimeline(rate: try FrameRate(30), start: PresentationTime(nanoseconds: 0))
    var place = -1
    var lost = 0
    for index in 0..<1000 {
      let time = Double(index) * Self.period / speed
      guard let gap = timeline.place(PresentationTime(nanoseconds: Int64(time))) else {
        lost += 1
        continue
      }
      place += gap + 1
      #expect(abs(Double(place) - time / Self.period) < 0.8)
    }
    #expect(lost == (speed > 1 ? 10 : 0))
  }

  @Test func `what comes twice has one place, and no time is too far`() throws {
    #expect(try gaps([0, 0, Self.period, Self.period + 1, 2 * Self.period]) == [0, -1, 0, -1, 0])
    // Times that no recorder writes neither trap nor come near a picture that anyone would write.
    #expect(try gaps([0, 4e18], rate: FrameRate(1_000_000_000))[1] > 1 << 39)
    #expect(try gaps([-4e18, 4e18], start: 4e18)[0] == 0)
  }
}
