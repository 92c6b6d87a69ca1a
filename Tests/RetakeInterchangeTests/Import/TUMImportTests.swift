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
