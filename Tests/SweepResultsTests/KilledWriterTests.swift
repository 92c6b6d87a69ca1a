import Foundation
import FrameModel
import PortableMath
import SweepResults
import Synchronization
import TestSupport
import Testing

/// The child process of an exit test is told by its environment what to do, which is one for all tests of a process.
@Suite("A sweep that is killed", .serialized)
struct KilledWriterTests {
  private static let pathName = "RETAKE_TEST_RESULTS_PATH"
  /// After how many runs, and how many microseconds later.
  private static let whenName = "RETAKE_TEST_RESULTS_WHEN"
  private static var fixture: SweepFixture { SweepFixture(settings: 40, recordings: 3) }

  /// Goes on with the sweep, one run at a time, until it is killed. A byte in "PATH.written" for every run that was written.
  private static func writeUntilKilled() throws {
    let environment = ProcessInfo.processInfo.environment
    let numbers = (environment[whenName] ?? "").split(separator: " ").compactMap { Int($0) }
    guard let path = environment[pathName], numbers.count == 2 else { return }
    let count = Atomic(0)
    let killer = Thread {
      while count.load(ordering: .relaxed) < numbers[0] { usleep(10) }
      usleep(UInt32(numbers[1]))
      kill(getpid(), SIGKILL)
    }
    killer.start()
    let file = try SweepResultsFile.openOrCreate(path, fixture.identity)
    let finished = try file.finishedRuns()
    let written = open(path + ".written", O_WRONLY | O_CREAT | O_APPEND, 0o644)
    for key in fixture.identity.runKeys where !finished.contains(key) {
      try file.write(fixture.run(key))
      _ = write(written, "x", 1)
      count.add(1, ordering: .relaxed)
    }
    try file.close()
    while true { pause() }
  }

  @Test("twenty times at any instant ends with the contents of one that was not, and nothing is computed twice")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    var random = SeededGenerator(seed: 7)
    var (before, restarts) = (Set<RunKey>(), 0)
    for _ in 0..<20 {
      setenv(Self.pathName, path, 1)
      setenv(Self.whenName, "\(random.next(below: 10)) \(random.next(below: 3000))", 1)
      await #expect(processExitsWith: .signal(SIGKILL)) { try Self.writeUntilKilled() }
      guard FileManager.default.fileExists(atPath: path) else { continue }
      restarts += 1
      do {
        let file = try SweepResultsFile.open(path)
        let finished = try file.finishedRuns()
        #expect(finished.isSuperset(of: before))
        let acknowledged = (try? FileBytes.read(path + ".written"))?.count ?? 0
        // A run may have been written and the byte not.
        #expect(finished.count >= acknowledged)
        for key in finished.subtracting(before) { #expect(try areSame(file.run(key), Self.fixture.run(key))) }
        before = finished
      } catch {
        // Killed before the tables were made.
        #expect(error.message == "\(path) holds no sweep: it is empty.")
        #expect(before.isEmpty)
      }
    }
    #expect(restarts > 0)
    do {
      let file = try SweepResultsFile.openOrCreate(path, Self.fixture.identity)
      let finished = try file.finishedRuns()
      try file.write(Self.fixture.runs.filter { !finished.contains($0.key) })
      try file.close()
    }
    let whole = try SweepResultsFile.open(Self.fixture.write(folder.path("whole.sqlite")))
    #expect(try areSame(SweepResultsFile.open(path).contentText(), whole.contentText()))
    print("killed as it wrote: \(before.count) of \(Self.fixture.runs.count) runs were there before the last start")
  }

  @Test("at every moment between two writes the files as they lie there are whole")
  func copies() throws {
    let folder = try TemporaryFolder()
    let fixture = SweepFixture(settings: 5)
    let writer = try SweepResultsFile.create(folder.path("a.sqlite"), fixture.identity)
    for (count, run) in fixture.runs.enumerated() {
      try writer.write(run)
      let copy = try TemporaryFolder()
      for suffix in ["", "-wal"] {
        let bytes = try FileBytes.read(folder.path("a.sqlite" + suffix))
        try FileBytes.write(bytes, to: copy.path("b.sqlite" + suffix))
        // A log that ends anywhere: what was not whole was not committed.
        guard suffix == "-wal" else { continue }
        try FileBytes.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: copy.path("c.sqlite-wal"))
        try FileBytes.write(FileBytes.read(copy.path("b.sqlite")), to: copy.path("c.sqlite"))
      }
      #expect(try SweepResultsFile.open(copy.path("b.sqlite")).finishedRuns().count == count + 1)
      let shortened = try SweepResultsFile.openOrCreate(copy.path("c.sqlite"), fixture.identity)
      let finished = try shortened.finishedRuns()
      #expect(finished.isSubset(of: fixture.runs[...count].map(\.key)))
      for key in finished { #expect(try shortened.run(key) == fixture.run(key)) }
      try shortened.close()
      #expect(try Folder.names(in: copy.path).filter { $0.hasPrefix("c.") } == ["c.sqlite"])
    }
  }
}
