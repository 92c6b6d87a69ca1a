import FrameModel
import Glibc
import Support
import TestSupport
import Testing

@Suite struct FileReplacementTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) throws -> String { String(decoding: try FileBytes.read(path), as: UTF8.self) }
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }
  private var names: [String] { get throws { try Folder.names(in: folder.path("")) } }

  @Test func `a file that is given up leaves the one that was there, and nothing beside it`() throws {
    let path = folder.path("a")
    try FileBytes.write(Array("old".utf8), to: path)
    do {
      let file = try #require(try FileReplacement.begin(path))
      try Array("new".utf8).withRawBytes { try FileBytes.writeAll($0, to: file.descriptor, path: path) }
      #expect(try text(path) == "old")
    }
    #expect(try text(path) == "old")
    #expect(try names == ["a"])
  }

  @Test func `a file that is published replaces the one that was there, and keeps its permissions`() throws {
    let path = folder.path("a")
    try FileBytes.write(Array("old".utf8), to: path)
    chmod(path, 0o640)
    // As a killed process leaves it.
    try FileBytes.write(Array("a longer part".utf8), to: folder.path(".partial-a"))
    try FileBytes.write(Array("new".utf8), to: path)
    #expect(try text(path) == "new")
    #expect(mode(path) == 0o640)
    #expect(try names == ["a"])
  }

  @Test func `a file that another program is writing is refused, and left to it`() throws {
    let path = folder.path("a")
    let first = try #require(try FileReplacement.begin(path))
    let error = #expect(throws: RetakeError.self) { try FileReplacement.begin(path) }
    #expect(error?.message.contains("Another program is writing") == true)
    try Array("first".utf8).withRawBytes { try FileBytes.writeAll($0, to: first.descriptor, path: path) }
    try first.publish()
    #expect(try text(path) == "first")
    #expect(try names == ["a"])
  }

  @Test func `a file that lost its name to another program's removes nothing of it`() throws {
    let path = folder.path("a")
    do {
      let first = try #require(try FileReplacement.begin(path))
      unlink(first.partialPath)
      try FileBytes.write(Array("another's".utf8), to: folder.path("other"))
      #expect(rename(folder.path("other"), first.partialPath) == 0)
      #expect(throws: RetakeError.self) { try first.publish() }
    }
    #expect(try text(folder.path(".partial-a")) == "another's")
  }

  @Test func `a link stays a link, and its file is replaced`() throws {
    let (path, link) = (folder.path("a"), folder.path("link"))
    try FileBytes.write(Array("old".utf8), to: path)
    #expect(symlink("a", link) == 0)
    try FileBytes.write(Array("new".utf8), to: link)
    #expect(try text(path) == "new")
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    // One that leads nowhere makes the file that it names.
    #expect(symlink("b", folder.path("dangling")) == 0)
    try FileBytes.write(Array("there".utf8), to: folder.path("dangling"))
    #expect(try text(folder.path("b")) == "there")
  }

  @Test func `pipes, devices and open descriptors are written in place`() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    try FileBytes.write(Array("bytes".utf8), to: pipe)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &bytes, 16) == 5)
    try FileBytes.write([1], to: "/dev/null")
    #expect(try #require(throws: RetakeError.self) { try FileBytes.write([1], to: "/dev/full") }.code == .diskFull)
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", pipe] {
      #expect(try FileReplacement.begin(path) == nil)
      #expect(!FileReplacement.replaces(path))
    }
    #expect(try names == ["pipe"])
  }

  @Test func `a long name is no obstacle`() throws {
    let path = folder.path(String(repeating: "ä", count: 126) + "png")
    try FileBytes.write(Array("new".utf8), to: path)
    #expect(try text(path) == "new")
  }

  @Test func `too many open files are named as such`() {
    for code in [EMFILE, ENFILE] {
      let error = FileBytes.failure("open", "a.retake", errno: code)
      #expect(error.message.contains("too many files are open") && !error.hint.isEmpty)
    }
  }

  @Test func `why a database cannot be opened is found without opening it, so a pipe does not block`() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(FileBytes.databaseFailure(pipe, isWriting: false).code == .inputOutput)
    #expect(FileBytes.databaseFailure(folder.path("none"), isWriting: true).code == .notFound)
  }

  @Test func `JSON text obeys no terminal and turns no text around`() {
    for scalar in ["\u{9B}", "\u{7F}", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{2028}"]
      as [Unicode.Scalar]
    {
      var object = JSONObject()
      object.add("name", "a\(scalar)b")
      #expect(object.text == "{\"name\":\"a\\u" + String(scalar.value, radix: 16).leftPadded + "b\"}")
    }
    var object = JSONObject()
    object.add("name", "Zürich 日本 👩")
    #expect(object.text == "{\"name\":\"Zürich 日本 👩\"}")
  }
}

extension String {
  fileprivate var leftPadded: String { String(repeating: "0", count: 4 - count) + self }
}
