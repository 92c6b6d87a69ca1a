import Foundation
import FrameModel
import Support
import Sweeps
import Synchronization
import TestSupport
import Testing

/// A sweep that is killed.
@Suite(.serialized, .long) struct KilledWriterTests {
  /// Where the child process of an exit test finds what to do: the results file, after how many runs it is killed, and how many
  /// microseconds later. Not its environment: to set that while other tests read it is a race.
  private static func orderPath(_ parent: Int32) -> String { NSTemporaryDirectory() + "retake-killed-writer-\(parent)" }

  private static var fixture: SweepFixture { SweepFixture(settings: 40, recordings: 3) }

  /// Goes on with the sweep, one run at a time, until it is killed. A byte in "PATH.written" for every run that was written.
  private static func writeUntilKilled() throws {
    let order = try String(decoding: FileBytes.read(orderPath(getppid())), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    guard order.count == 3, let limit = Int(order[1]), let delay = UInt32(order[2]) else { return }
    let path = order[0]
    let count = Atomic(0)
    let killer = Thread {
      while count.load(ordering: .relaxed) < limit { usleep(10) }
      usleep(delay)
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
    // Fewer were left than it was to wait for.
    count.store(.max, ordering: .relaxed)
    while true { pause() }
  }

  @Test
  func `again and again at any instant ends with the contents of one that was not, and nothing is computed twice`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    var random = SeededGenerator(seed: 7)
    defer { unlink(Self.orderPath(getpid())) }
    var (before, restarts) = (Set<RunKey>(), 0)
    for _ in 0..<Sample.count(of: 20, usual: 6) {
      let order = "\(path)\n\(random.next(below: 10))\n\(random.next(below: 3000))"
      try FileBytes.write(Array(order.utf8), to: Self.orderPath(getpid()))
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
        #expect(error.message == "\(path) has no sweep: it is empty.")
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

  @Test
  func `at every moment between two writes the files as they lie there are whole`() throws {
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

  @Test
  func `what a merge that was killed leaves is taken for new, with the journal beside it`() throws {
    let folder = try TemporaryFolder()
    let fixture = SweepFixture()
    let path = folder.path("merged.sqlite")
    // One long transaction that does not end, more than SQLite keeps in memory.
    let script = """
      import os, signal, sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("pragma cache_size = 1")
      database.execute("begin immediate")
      database.execute("create table t (a)")
      for _ in range(200): database.execute("insert into t values (randomblob(4000))")
      os.kill(os.getpid(), signal.SIGKILL)
      """
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, path]).status == -SIGKILL)
    #expect(try Folder.names(in: folder.path) == ["merged.sqlite", "merged.sqlite-journal"])
    #expect(try !FileBytes.read(path).isEmpty)
    let copy = try FileBytes.read(path + "-journal")
    let bytes = try FileBytes.read(path)

    #expect(failure { _ = try SweepResultsFile.open(path) }?.message == "\(path) has no sweep: it is empty.")
    try FileBytes.write(bytes, to: path)
    try FileBytes.write(copy, to: path + "-journal")
    let shard = try fixture.write(folder.path("shard.sqlite"))
    #expect(try SweepResultsFile.merge([shard], into: path).missing.isEmpty)
    #expect(try Folder.names(in: folder.path) == ["merged.sqlite", "shard.sqlite"])
    #expect(try areSame(SweepResultsFile.open(path).contentText(), SweepResultsFile.open(shard).contentText()))

    let other = folder.path("other.sqlite")
    try FileBytes.write(bytes, to: other)
    try FileBytes.write(copy, to: other + "-journal")
    #expect(try SweepResultsFile.openOrCreate(other, fixture.identity).finishedRuns().isEmpty)
  }
}
