import Foundation
import Kernels
import TestSupport
import Testing

/// Whatever the parameters, shapes, formats and contents: a defined result or an error, and the same bits on any number of
/// threads and with any processor.
///
/// `RETAKE_FUZZ_CASES=100000 swift test --filter PipelineFuzzTests` tries so many, and says of each that it begins;
/// `RETAKE_FUZZ_SEED` is that of the first, each case has the next.
@Suite(.long) struct PipelineFuzzTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  @Test
  func `any input gives a defined result or an error, with equal bits however it is computed`() throws {
    let first = UInt64(clamping: Self.number("RETAKE_FUZZ_SEED") ?? 5_000_000)
    let count = Self.number("RETAKE_FUZZ_CASES")
    var (outputs, skipped, failed, refused) = (0, 0, 0, 0)
    let usual = Sample.of(first..<first + 250, count: 80)
    for seed in count.map({ Array(first..<first + UInt64($0)) }) ?? usual {
      let fuzz = try PipelineFuzzCase(seed: seed)
      if count != nil { print("Fuzz, \(fuzz.description)") }
      let expected = try fuzz.run(threadCount: 1, processor: .plain)
      #expect(expected.faults.isEmpty, "\(fuzz.description)")
      // Every fourth case in all ways, the others in the one that differs most.
      let ways: [(Int, Processor)] = seed % 4 == 0 ? [(1, .best), (3, .plain), (3, .best)] : [(3, .best)]
      for (threadCount, processor) in ways {
        let other = try fuzz.run(threadCount: threadCount, processor: processor)
        let isSame = other.outcomes == expected.outcomes
        #expect(isSame, "\(threadCount) threads, \(processor): \(fuzz.description)")
      }
      for outcome in expected.outcomes {
        switch outcome {
        case .planes: outputs += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .waiting: break
        }
      }
      if expected.outcomes.count == 1, case .failed = expected.outcomes[0] { refused += 1 }
    }
    print("Fuzz from seed \(first): \(outputs) outputs, \(skipped) skipped, \(failed) errors, \(refused) refused whole")
    // It must not pass because everything is refused.
    let share = Double(usual.count) / 250
    #expect(
      count != nil
        || (Double(outputs) > 400 * share && Double(skipped) > 10 * share && Double(failed) > 10 * share))
  }
}
