import CommandTestSupport
import Foundation
import FrameModel
import TestSupport
import Testing

/// Files and names that strangers made: what they can show on a terminal, and what work they can make.
@Suite(.long) struct StrangersFilesTests {
  private let folder: TemporaryFolder
  /// Colours the text, sets the title, clears the screen by C1 controls, and turns the direction of what follows.
  private static let evil = "a\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}2J\u{202E}b\u{200F}c\u{61C}\u{2066}"

  init() throws { folder = try TemporaryFolder() }

  private func expectHarmless(_ arguments: [String], says word: String) throws {
    let result = try ChildProcess.run(Checkout.retake, arguments)
    for text in [result.text, result.errors] {
      let harmful = text.unicodeScalars.filter { $0.isHarmfulToShow && $0 != "\n" }
      #expect(harmful.isEmpty, "\(arguments): \(harmful.map { String($0.value, radix: 16) })")
    }
    #expect((result.text + result.errors).contains(word), "\(arguments): \(result.text)\(result.errors)")
  }

  @Test func `names of streams, devices and settings do not act on a terminal, in text and in JSON`() throws {
    let path = folder.path("a.retake")
    var stream = try TestFrames.stream(Self.evil, .color, FrameLayout(.rgb24, width: 8, height: 8))
    stream.device = Self.evil
    stream.settings = [.init(Self.evil, Self.evil)]
    try HandMadeRecording.make(path, streams: [stream], [.init(index: 0, bytes: [UInt8](repeating: 9, count: 192))])
    for command in ["info", "verify", "recover"] {
      try expectHarmless([command, path], says: command == "verify" ? "frame" : "31mred")
      try expectHarmless([command, path, "--json"], says: "{")
    }
    try expectHarmless(["trim", path, "--from", "0", "--to", "1", "-o", folder.path("t.retake")], says: "31mred")
    try expectHarmless(["replay", path, "--output", "none"], says: "depth")
    let chunk = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/chunks/000000.mcap"))
    try chunk.truncate(atOffset: 3000)
    try chunk.close()
    try expectHarmless(["verify", path], says: "000000")
    try expectHarmless(["recover", path], says: "000000")
  }

  @Test func `arguments do not act on a terminal`() throws {
    let path = folder.path(Self.evil + ".retake")
    for arguments in [
      ["info", path], ["recover", path], ["trim", path, "-o", path, "--from", "1"], ["info", path, "--" + Self.evil],
      ["replay", path, "--set", Self.evil], ["record", "--device", Self.evil],
      ["faces", path, "--detector", Self.evil],
      ["compare", path, path],
      [Self.evil], ["mark", path, "--at", "1s"], ["reproduce", path], ["import", path],
    ] {
      try expectHarmless(arguments, says: "31mred")
    }
    try CommandLineTool.run(["record", "--device", "simulated?pace=fast&frames=2", "-o", path, "--keep-free", "0"])
    try expectHarmless(["recover", path], says: "31mred")
    try expectHarmless(["trim", path, "--from", "0", "--to", "1", "-o", path + "2"], says: "31mred")
  }

  @Test func `depth and colour that are larger than any camera's are refused before memory is taken`() throws {
    let depth = folder.path("depth.retake")
    let streams = [
      try TestFrames.stream("color", .color, FrameLayout(.rgb24, width: 8, height: 8)),
      try TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 4097, height: 2048)),
    ]
    try HandMadeRecording.make(
      depth, streams: streams,
      [
        .init(stream: 0, index: 0, bytes: [UInt8](repeating: 9, count: 192)),
        .init(stream: 1, index: 0, bytes: [UInt8](repeating: 4, count: 2 * 4097 * 2048)),
      ])
    let color = folder.path("color.retake")
    try HandMadeRecording.make(
      color,
      streams: [
        try TestFrames.stream("color", .color, FrameLayout(.grey8, width: 8193, height: 4096)),
        try TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 8, height: 8)),
      ],
      [
        .init(stream: 0, index: 0, bytes: [UInt8](repeating: 9, count: 8193 * 4096)),
        .init(stream: 1, index: 0, bytes: [UInt8](repeating: 4, count: 128)),
      ])
    let none = folder.path("none")
    for (arguments, sizes) in [
      (["replay", depth, "--output", "none"], "4097x2048"), (["export", "png", depth, "-o", none], "4097x2048"),
      (["replay", color, "--output", "none"], "8193x4096"),
      (["replay", depth, "--output", "none", "--set", "composite.background=" + color], "8193x4096"),
      (["sweep", depth, "--list", "matte.blur=1,2", "-o", none + ".sqlite"], "4097x2048"),
      (["bundle", depth, "--from", "0", "--to", "1", "-o", none + ".retake-bundle"], "4097x2048"),
    ] {
      // Address space of 1.5 GB: the work itself would need more.
      let limited = ["-c", "ulimit -v 1500000; exec \"$0\" \"$@\"", try Checkout.retake] + arguments
      let result = try ChildProcess.run("/bin/sh", limited)
      #expect(result.status == 1, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(sizes) && result.errors.contains("that Retake can process"), "\(result.errors)")
    }
    // What is there can be looked at all the same.
    #expect(try CommandLineTool.run(["info", depth]).text.contains("4097x2048"))
    try CommandLineTool.run(["verify", depth])
  }
}
