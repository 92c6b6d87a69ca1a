import Foundation
import FrameModel
import Media
import Support
import TestSupport
import Testing

@Suite struct PictureFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path(name)
    try FileBytes.write(bytes, to: path)
    return path
  }

  @Test func `a file's first bytes say what it is, not its name`() throws {
    let picture = noiseImage(19, 7, seed: 1)
    try PictureFile.writePNG(picture, to: folder.path("p.jpg"))
    #expect(try PictureFile.readColor(path: folder.path("p.jpg")) == picture)
    #expect(try PictureFile.size(path: folder.path("p.jpg")) == (19, 7))

    let jpeg = try write(JPEGEncoder.encode(picture), "j.png")
    #expect(try PictureFile.size(path: jpeg) == (19, 7))
    let decoded = try PictureFile.readColor(path: jpeg)
    #expect((decoded.width, decoded.height) == (19, 7) && decoded != picture)

    for file in [folder.path("p.jpg"), jpeg] {
      #expect(try FileBytes.read(file).withRawBytes { PictureFile.isPicture($0) })
    }
    #expect(!Array("RIFF".utf8).withRawBytes { PictureFile.isPicture($0) })
  }

  @Test func `what is no picture is refused with its path and what to give instead`() throws {
    let path = try write(Array("no picture".utf8), "a.png")
    for read in [{ _ = try PictureFile.size(path: path) }, { _ = try PictureFile.readColor(path: path) }] {
      let error = #expect(throws: RetakeError.self) { try read() }
      #expect(error?.code == .corrupt && error?.message.contains(path) == true && error?.hint.isEmpty == false)
    }
  }

  @Test func `a JPEG that claims more than a frame can hold is refused from its header`() throws {
    var file = try JPEGEncoder.encode(noiseImage(16, 16, seed: 1))
    let header = try #require(file.firstRange(of: [0xFF, 0xC0])).lowerBound
    file.replaceSubrange(header + 5..<header + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let path = try write(file, "a.jpg")
    let error = #expect(throws: RetakeError.self) { _ = try PictureFile.readColor(path: path) }
    #expect(error?.code == .corrupt)
  }
}
