import CommandTestSupport
import Foundation
import Glibc
import RecordingStore
import TestSupport
import Testing

/// However a recording ends, what was recorded is there.
@Suite(.long) struct EndingTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func waitForChunkFile(_ recording: String, _ name: String) throws {
    let path = recording + "/chunks/" + name
    for _ in 0..<600 {
      if FileManager.default.fileExists(atPath: path) { return }
      usleep(50_000)
    }
    throw ChildProcess.Missing(description: "\(path) never came")
  }

  /// - Parameter option: of `env`.
  private func record(
    _ path: String, under option: String, whileRunning: (Int32) throws -> Void
  ) throws -> ChildProcess {
    try ChildProcess.run(
      "/usr/bin/env",
      [
        option, Checkout.retake, "record", "--device", "simulated?size=160x120&backlog=1000", "--queue", "10000",
        "-o", path, "--keep-free", "0",
      ]
    ) { process in
      try waitForChunkFile(path, "000000.mcap.partial")
      try whileRunning(process)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a recording cleanly`(number: Int32) throws {
    let path = folder.path("a.retake")
    // Whoever started the tests may have had it ignored.
    let result = try record(path, under: "--default-signal=HUP") { process in
      usleep(300_000)
      kill(process, number)
    }
    #expect(result.status == 0 && result.text == path + "\n", "\(result.status) \(result.errors)")
    // Nothing is redrawn where there is no terminal.
    #expect(!result.errors.contains("\r"))
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(info["is_closed"] as? Bool == true)
    #expect(try #require(info["frame_sets"] as? Int) > 0)
    try CommandLineTool.run(["replay", path, "--output", "none"])
  }

  @Test func `a terminal that is closed does not end what 'nohup' has started`() throws {
    let path = folder.path("a.retake")
    let result = try record(path, under: "--ignore-signal=HUP") { process in
      kill(process, SIGHUP)
      // It goes on to the end of its first file, and further.
      try waitForChunkFile(path, "000001.mcap.partial")
      kill(process, SIGTERM)
    }
    #expect(result.status == 0 && result.text == path + "\n", "\(result.status) \(result.errors)")
    try CommandLineTool.run(["verify", path])
  }

  @Test func `after SIGKILL every finished chunk file is whole and indexed`() throws {
    let path = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?size=160x120&backlog=1000", "-o", path, "--keep-free", "0"],
      expecting: -SIGKILL
    ) { process in
      // The first file is on the disk, and its rows follow at once.
      try waitForChunkFile(path, "000000.mcap")
      try waitForChunkFile(path, "000001.mcap.partial")
      for _ in 0..<600 {
        if try Recording(path: path).frameSetCount() > 0 { break }
        usleep(50_000)
      }
      usleep(700_000)
      kill(process, SIGKILL)
    }
    // What the index holds before anything is repaired.
    let left = try Recording(path: path)
    #expect(!left.isClosed)
    let indexed = try left.frameSetCount()
    #expect(indexed >= 58)

    // The frames since then lie in the partial file; verify changes nothing, and opening it brings them back.
    try CommandLineTool.run(["verify", path], expecting: 1)
    let copy = folder.path("b.retake")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let replayed = try CommandLineTool.run(["replay", path, "--output", "none"])
    #expect(replayed.errors.contains("it was repaired"), "\(replayed.errors)")
    let report = try ChildProcess.run(Checkout.retake, ["recover", copy, "--json"])
    #expect(report.status == 0 || report.status == 3, "\(report.errors)")
    for path in [path, copy] {
      let repaired = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
      #expect(repaired["is_closed"] as? Bool == true)
      #expect(try #require(repaired["frame_sets"] as? Int) > indexed)
      try CommandLineTool.run(["verify", path])
    }
  }

  @Test func `a duration is kept to the frame`() throws {
    let path = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&size=64x48", "--duration", "2s", "-o", path, "--keep-free", "0"])
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    let streams = try #require(info["streams"] as? [[String: Any]])
    #expect(streams.map { $0["frames"] as? Int } == [60, 60, 60])
  }

  @Test func `a disk that fills ends the recording whole, and it replays`() throws {
    // The recording is copied off the disk before it goes.
    let script = """
      status=0
      "$2" record --device 'simulated?pace=fast&frames=600&size=320x240' -o "$1/a.retake" --keep-free "$4" || status=$?
      cp -r "$1/a.retake" "$3"
      exit $status
      """
    for (name, floor) in [("floor", "4MiB"), ("full", "0")] {
      let copy = folder.path("\(name).retake")
      let result = try onSmallDisk(script, [copy, floor])
      #expect(result.status == 3, "\(result.errors)")
      #expect(result.errors.contains("disk"), "\(result.errors)")
      #expect(result.errors.contains("hint:"), "\(result.errors)")
      let info = try CommandLineTool.json(CommandLineTool.run(["info", copy, "--json"]).text)
      #expect(try #require(info["frame_sets"] as? Int) > 20, "\(name)")
      #expect(info["is_closed"] as? Bool == true, "\(name)")
      let streams = try #require(info["streams"] as? [[String: Any]]).compactMap { $0["frames"] as? Int }
      #expect(streams.count == 3 && Set(streams).count == 1, "\(name): \(streams)")
      let events = try #require(info["events"] as? [[String: Any]])
      #expect(events.isEmpty && !result.errors.contains("incomplete"), "\(name): \(events), \(result.errors)")
      #expect(!result.errors.contains("recover"), "\(result.errors)")
      try CommandLineTool.run(["verify", copy])
      try CommandLineTool.run(["replay", copy, "--output", "none"])
    }
  }

  @Test func `a full disk is named by a replay to it, which leaves nothing there`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=30")
    let script = """
      head -c 30000000 /dev/zero > "$1/rest" 2> /dev/null || true
      "$2" replay "$3" --output "$1/o.mp4" > /dev/null && exit 9
      "$2" replay "$3" --output "$1/pngs/" > /dev/null && exit 9
      ls "$1"
      """
    let result = try onSmallDisk(script, [recording])
    #expect(result.status == 0 && result.text == "rest\n", "\(result.text) \(result.errors)")
    #expect(result.errors.ranges(of: "The disk is full: ").count == 2, "\(result.errors)")
  }

  /// Runs a shell's script with a disk of 24 MB, the program and further words as its arguments.
  private func onSmallDisk(_ script: String, _ words: [String]) throws -> ChildProcess {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let mounted = "trap 'umount \"$1\"' EXIT\nset -e\nmount -t tmpfs -o size=24m none \"$1\"\n" + script
    return try MountNamespace.run(mounted, [disk, Checkout.retake] + words)
  }

  @Test func `a file that reaches the user's limit ends the recording, and what is in it replays`() throws {
    let path = folder.path("a.retake")
    let script = "ulimit -f 3000; exec \"$@\""
    let result = try ChildProcess.run(
      "/bin/bash",
      ["-c", script, "bash", Checkout.retake, "record", "--device", "simulated?pace=fast&frames=600&size=320x240"]
        + ["-o", path, "--keep-free", "0"])
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.errors.contains("000000.mcap"), "\(result.errors)")
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(try #require(info["frame_sets"] as? Int) > 10)
    let lost = try #require(info["events"] as? [[String: Any]]).filter { $0["stage"] as? String == "disk" }
    #expect(!lost.isEmpty)
    try CommandLineTool.run(["replay", path, "--output", "none"])
  }
}
