import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// Videos that are cut or changed anywhere: what is whole, or an error, and in bounded memory.
@Suite(.long) struct VideoDamageTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let codings: [(name: String, coding: [String])] = [
    ("a.mp4", ["-c:v", "libx264", "-g", "4", "-movflags", "+faststart", "-pix_fmt", "yuv420p"]),
    ("a.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
    ("a.mkv", ["-c:v", "ffv1", "-level", "3", "-slicecrc", "1", "-g", "1", "-pix_fmt", "yuv420p"]),
  ]

  private func make(_ name: String, _ coding: [String]) throws -> [UInt8] {
    let path = folder.path(name)
    let result = try ChildProcess.run(
      "/usr/bin/env",
      ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10", "-t", "1"]
        + coding
        + [path])
    #expect(result.status == 0, "\(result.errors)")
    return try FileBytes.read(path)
  }

  /// Imports the bytes; nil for an error.
  private func frames(_ bytes: [UInt8], _ name: String) throws -> ImportedFrames.Contents? {
    let path = folder.path("damaged-" + name)
    try FileBytes.write(bytes, to: path)
    do {
      return try ImportedFrames.all(of: ImportCatalog.open(path))
    } catch let error as RetakeError {
      #expect(!error.message.isEmpty)
      return nil
    }
  }

  @Test(arguments: 0..<3) func `of a video that is cut, whole pictures are right, and the cut is reported`(kind: Int)
    throws
  {
    let (name, coding) = Self.codings[kind]
    let whole = try make(name, coding)
    let expected = try #require(try frames(whole, name)).bytes(ofStream: 0)
    #expect(expected.count == 10)
    var counts: Set<Int> = []
    // Each starts ffmpeg.
    let places = 40
    for place in Sample.of(1..<places, count: 8) {
      let cut = Array(whole.prefix(whole.count * place / places))
      guard let contents = try frames(cut, name) else { continue }
      let intact = contents.frames.filter { $0.flags.isEmpty }
      let known = Set(expected)
      #expect(intact.allSatisfy { known.contains(Array($0.buffer.copiedBytes.prefix($0.byteCount))) }, "\(place)")
      let lost = contents.losses.reduce(0) { $0 + $1.count }
      #expect(intact.count == expected.count || contents.failure != nil || lost > 0, "\(place) of \(places)")
      counts.insert(intact.count)
    }
    #expect(counts.contains { (1..<10).contains($0) })
  }

  @Test(arguments: 0..<3) func `of a video with wrong bytes, there are pictures of its size, or an error`(kind: Int)
    throws
  {
    let (name, coding) = Self.codings[kind]
    let whole = try make(name, coding)
    var random = SeededGenerator(seed: 22 + UInt64(kind))
    var importedCount = 0
    for _ in 0..<Sample.count(of: 60, usual: 6) {
      var bytes = whole
      let place = Int(random.next() % UInt64(bytes.count))
      bytes[place] ^= UInt8(1 << (random.next() % 8))
      guard let contents = try frames(bytes, name) else { continue }
      importedCount += 1
      for frame in contents.frames { #expect(frame.byteCount <= frame.layout.byteCount, "\(place)") }
      #expect(contents.frames.count <= 100)
    }
    #expect(importedCount > 0)
  }
}
