import Foundation
import Kernels
import MattePipeline
import TestSupport
import Testing

@Suite(.long) struct PipelineDigestTests {
  private static let cases = PipelineCase.presets + PipelineCase.others

  @Test(arguments: cases + [.emptyStart], SceneShape.all)
  func `1, 2 and 5 threads, plain and AVX2, give identical planes`(_ one: PipelineCase, _ shape: SceneShape) throws {
    let frames = try one.scene(shape).frames(9)
    let expected = try one.pipeline(shape, threadCount: 1, processor: .plain).digests(frames)
    #expect(!expected.isEmpty)
    for processor in Processor.available {
      for threads in [1, 2, 5] {
        let digests = try one.pipeline(shape, threadCount: threads, processor: processor).digests(frames)
        #expect(digests == expected, "\(threads) threads, \(processor)")
      }
    }
  }

  @Test func `a room that is learned decides what comes after it`() throws {
    let shape = SceneShape.all[0]
    let frames = try PipelineCase.emptyStart.scene(shape).frames(9)
    let learned = try PipelineCase.emptyStart.pipeline(shape).digests(frames)
    var other = PipelineCase.emptyStart
    other.assignments.append("mask.empty-start=false")
    let unlearned = try other.pipeline(shape).digests(frames)
    #expect(learned.count == 9 && unlearned.count == 9)
    #expect((0..<9).filter { learned[$0]?.mask != unlearned[$0]?.mask } == [6, 7, 8])
  }

  /// One line for all frames and stages.
  private static func golden(_ one: PipelineCase, _ shape: SceneShape) throws -> String {
    let digests = try one.pipeline(shape, threadCount: 2).digests(try one.scene(shape).frames(9))
    var all = PlaneDigest()
    for index in digests.keys.sorted() {
      all.add(index)
      let text = digests[index]?.text ?? ""
      Array(text.utf8).withUnsafeBytes { all.add($0) }
    }
    return all.description
  }

  private static func name(_ one: PipelineCase, _ shape: SceneShape) -> String { "\(one), \(shape)" }

  /// Debug and release builds and all machines are compared with the same numbers. When a formula is changed on purpose:
  /// RETAKE_WRITE_GOLDENS=1 swift test --disable-xctest --filter PipelineDigestTests
  @Test
  func `every preset gives the pixels that were committed`() throws {
    var lines: [String] = []
    for one in Self.cases {
      for shape in SceneShape.all {
        let (name, digest) = (Self.name(one, shape), try Self.golden(one, shape))
        lines.append("  \"\(name)\":\n    \"\(digest)\",\n")
        #expect(pipelineGoldens[name] == digest, "\(name)")
      }
    }
    if ProcessInfo.processInfo.environment["RETAKE_WRITE_GOLDENS"] != nil { try Self.write(lines) }
  }

  private static func write(_ lines: [String]) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "PipelineGoldens.swift")
    let text =
      "// Written by PipelineDigestTests: a digest of all stages of all frames for each preset and shape.\n"
      + "let pipelineGoldens: [String: String] = [\n" + lines.joined() + "]\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    print("Wrote \(file.path)")
  }
}
