import Foundation
import Support
import TestSupport
import Testing

@Suite struct FolderTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func touch(_ name: String) throws { try Data().write(to: URL(fileURLWithPath: folder.path(name))) }

  @Test func `a free name is the plain one, then the first with a number, and no link's`() throws {
    let stem = folder.path("report")
    #expect(Folder.freePath(stem, ".html") == stem + ".html")
    try touch("report.html")
    try touch("report-3.html")
    #expect(Folder.freePath(stem, ".html") == stem + "-2.html")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("report-2.html"), withDestinationPath: folder.path("nothing"))
    #expect(Folder.freePath(stem, ".html") == stem + "-4.html")
  }

  @Test func `a guess is a name beside the missing one, of the wanted ending, and none that is hidden`() throws {
    for name in ["room.png", "rooms.retake", ".roon.png"] { try touch(name) }
    #expect(Folder.guess(folder.path("roon.png")) == "did you mean \(folder.path("room.png"))? ")
    #expect(
      Folder.guess(folder.path("room.retake"), suffix: ".retake") == "did you mean \(folder.path("rooms.retake"))? ")
    #expect(Folder.guess(folder.path("evening.png")).isEmpty && Folder.guess(folder.path("no/room.png")).isEmpty)
  }
}
