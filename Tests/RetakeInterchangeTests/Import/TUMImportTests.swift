import CommandTestSupport
import Foundation
import RecordingStore
import TestSupport
import Testing

/// A data set is the same recording whether it is imported or recorded as a device.
@Suite(.long) struct TUMImportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func `an imported data set is what its device records, byte for byte`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=64x48")
    var dataSets = [folder.path("tum")]
    try CommandLineTool.run(["export", "tum", source, "-o", dataSets[0]])
    if Checkout.hasFixture("tum-walking") { dataSets.append(Checkout.fixture("tum-walking")) }
    for (number, dataSet) in dataSets.enumerated() {
      let (recorded, imported) = (folder.path("\(number)r.retake"), folder.path("\(number)i.retake"))
      try CommandLineTool.run(["record", "--device", "tum:\(dataSet)", "-o", recorded, "--keep-free", "0"])
      // The benchmark's own folders say their scale; one without lists does not.
      try ForeignFiles.importFile(dataSet, to: imported, number == 0 ? [] : ["--scale", "5000"])
      #expect(areSame(try ForeignFiles.chunkFiles(recorded), try ForeignFiles.chunkFiles(imported)))
      let facts = try [recorded, imported].map { path in
        try CommandLineTool.run(["info", path, "--json"]).text.replacingOccurrences(of: path, with: "PATH")
      }
      #expect(facts[0] == facts[1])
      #expect(facts[0].contains("\"frames\":\(number == 0 ? 12 : 1),"))
    }
  }

  @Test func `pictures that are missing or unreadable are counted, and all others imported`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=64x48")
    let dataSet = folder.path("tum")
    try CommandLineTool.run(["export", "tum", source, "-o", dataSet])
    let files = FileManager.default
    let (color, depth) = (dataSet + "/rgb/", dataSet + "/depth/")
    let pictures = try [color, depth].map { folder in
      try files.contentsOfDirectory(atPath: folder).sorted().map { folder + $0 }
    }
    try files.removeItem(atPath: pictures[0][2])
    try Data(contentsOf: URL(fileURLWithPath: pictures[0][5])).dropLast(40)
      .write(to: URL(fileURLWithPath: pictures[0][5]))
    // Colour in place of depth.
    try files.removeItem(atPath: pictures[1][7])
    try files.copyItem(atPath: pictures[0][7], toPath: pictures[1][7])
    let recording = folder.path("imported.retake")
    let result = try ForeignFiles.importFile(dataSet, to: recording, expecting: 3)
    for path in [pictures[0][2], pictures[0][5], pictures[1][7]] { #expect(result.errors.contains(path)) }
    let summary = try Recording(path: recording).summary()
    #expect(summary.streams.prefix(2).map(\.frameCount) == [10, 11], "\(result.errors)")
    let losses = summary.losses.filter { $0.reason == "dropped" }
    #expect(losses.map { "\($0.stream) \($0.count)" }.sorted() == ["0 2", "1 1"])
  }

  @Test func `without --output the recording is named after the source`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48")
    let dataSet = folder.path("walking")
    try CommandLineTool.run(["export", "tum", source, "-o", dataSet])
    let result = try ChildProcess.run(
      "/usr/bin/env", ["-C", folder.path, try Checkout.retake, "import", dataSet + "/", "--keep-free", "0"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text == "Recordings/walking.retake\n")
    #expect(try Recording(path: folder.path("Recordings/walking.retake")).frameSetCount() == 2)
  }
}
