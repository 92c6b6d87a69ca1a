import BugBundles
import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import MattePipeline
import Support
import TestSupport
import Testing

/// Golden digests and the pipeline revision change together.
@Suite(.long) struct PipelineRevisionTests {
  private let folder: TemporaryFolder
  private static let record = Checkout.root + "/Tests/RetakeTests/Project/pipeline-revisions.txt"
  /// Swift files with golden digests of pixels.
  private static let goldens = ["Tests/MattePipelineTests/PipelineGoldens.swift"]

  init() throws { folder = try TemporaryFolder() }

  /// Revision and hash of each line.
  private func recorded() throws -> [(revision: Int, hash: String)] {
    try String(contentsOfFile: Self.record, encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (try #require(Int(words[0])), String(words[1]))
    }
  }

  /// XXH3-128 of every golden digest: those in the tests' sources, and those of the golden recordings.
  private func hashOfGoldens() throws -> String {
    let hash = RunningChecksum()
    func add(_ text: some StringProtocol) { Array("\(text)\n".utf8).withUnsafeBytes { hash.add($0) } }
    for path in Self.goldens {
      let text = try String(contentsOfFile: Checkout.root + "/" + path, encoding: .utf8)
      let digests = text.matches(of: /"([^"\n]+)":\s*"([0-9a-f]{16})"/)
      #expect(digests.count > 50, "\(path)")
      for digest in digests {
        add(digest.1)
        add(digest.2)
      }
    }
    let recordings = Checkout.root + "/Recordings/golden"
    for name in try FileManager.default.contentsOfDirectory(atPath: recordings).sorted() {
      let bundle = try UnpackedBundle(path: "\(recordings)/\(name)", into: folder.path(UUID().uuidString))
      add(name)
      // Without the header, which names the version.
      for line in try String(contentsOfFile: bundle.expectationPath, encoding: .utf8).split(separator: "\n").dropFirst()
      {
        add(line)
      }
    }
    return hash.hex
  }

  @Test func `a golden digest changes only with the pipeline revision`() throws {
    let last = try #require(try recorded().last)
    let hash = try hashOfGoldens()
    #expect(
      last.revision == PipelineRevision.current && last.hash == hash,
      """
      The goldens are not those of revision \(PipelineRevision.current). Raise PipelineRevision.current, say in \
      .github/CHANGELOG.md what looks different, and add to \(Self.record): \(PipelineRevision.current + 1) \(hash)
      """)
  }

  @Test func `every revision has its line and its entry in the changelog`() throws {
    let revisions = try recorded().map(\.revision)
    #expect(revisions == Array(1...PipelineRevision.current))
    let changelog = try String(contentsOfFile: Checkout.root + "/.github/CHANGELOG.md", encoding: .utf8)
    for revision in revisions { #expect(changelog.contains("### Pipeline revision \(revision)\n")) }
  }

  @Test func `the version names commit and pipeline revision`() throws {
    let output = try CommandLineTool.run(["--version"]).output
    #expect(
      String(decoding: output, as: UTF8.self).wholeMatch(
        of: /[0-9.]+ \(commit ([0-9a-f]{12}(-dirty)?|unknown), pipeline revision ([0-9]+)\)\n/)?.3
        == "\(PipelineRevision.current)")
  }
}
