import FrameModel
import Interchange
import RecordingStore
import RecordingTestSupport
import Support
import TestSupport
import Testing

/// Exported recordings can be imported again.
@Suite struct RoundTripTests {
  private let folder: TemporaryFolder
  private let original: Recording
  private let made: SimulatedRecording

  /// Sizes are odd, and no two streams have the same.
  init() throws {
    folder = try TemporaryFolder()
    made = try SimulatedRecording("frames=4&size=161x97&depth-size=65x49&depth=mm&faces=0&seed=7")
    original = made.recording
  }

  private func imported(_ path: String) throws -> (streams: [StreamDescription], contents: ImportedFrames.Contents) {
    let source = try ImportCatalog.open(path)
    let contents = try ImportedFrames.all(of: source)
    #expect(contents.failure == nil && contents.losses.isEmpty)
    #expect(contents.frames.count == source.frameCount)
    #expect(contents.frames.allSatisfy { $0.flags.isEmpty })
    return (source.device.streams, contents)
  }

  private func expectEveryStream(_ path: String) throws {
    let (streams, contents) = try imported(path)
    #expect(streams.map(\.name) == original.streams.map(\.name))
    #expect(streams.map(\.layout) == original.streams.map(\.layout.packed))
    for stream in streams.indices {
      let expected = try original.bytes(ofStream: stream)
      #expect(expected.count == 4)
      #expect(areSame(contents.bytes(ofStream: stream), expected), "\(streams[stream].name)")
    }
  }

  @Test func `PNGs have every stream's samples`() throws {
    let path = folder.path("png")
    let exporter = try PNGExporter(
      original, to: path, streams: ExportStreams.withPictures(original), part: nil, depth: .millimeters, threadCount: 2)
    #expect(try exporter.run { _ in true }.isWhole)
    try expectEveryStream(path)
  }

  @Test func `an MCAP file has every stream's samples`() throws {
    let path = folder.path("a.mcap")
    #expect(try MCAPExporter(original, to: path, part: nil).run { _ in true }.isWhole)
    try expectEveryStream(path)
  }

  @Test func `an MCAP file brings the boxes of faces, to the pictures that they are in`() throws {
    let made = try SimulatedRecording("frames=6&size=161x97&seed=7")
    let recording = made.recording
    let path = folder.path("faces.mcap")
    #expect(try MCAPExporter(recording, to: path, part: nil).run { _ in true }.isWhole)
    let source = try ImportCatalog.open(path)
    #expect(source.remarks.contains { $0.hasPrefix("/color/faces: the boxes of faces") })
    let frames = try ImportedFrames.all(of: source).frames
    let sets = try recording.frameSets(0..<6)
    let pictures = frames.filter { $0.streamIndex == 0 }
    try #require(pictures.count == 6 && sets.count == 6)
    for (frame, set) in zip(pictures, sets) {
      try #require(frame.faces.count == set.faces.count && !frame.faces.isEmpty)
      for (found, face) in zip(frame.faces, set.faces) { #expect(found.box.overlap(with: face.box) > 1 - 1e-12) }
    }
    #expect(frames.allSatisfy { $0.streamIndex == 0 || $0.faces.isEmpty })
    // Faces of pictures that are not imported are not either.
    let depth = try ImportCatalog.open(path, topics: ["/depth/image"])
    #expect(try ImportedFrames.all(of: depth).frames.allSatisfy { $0.faces.isEmpty })
  }

  @Test(arguments: ["color", "depth", "alpha"]) func `a lossless video has its stream's samples`(name: String) throws {
    let stream = try #require(original.streams.firstIndex { $0.name == name })
    let path = folder.path("a.mkv")
    let exporter = try VideoExporter(
      original, to: path, stream: stream, part: nil, container: .mkv, depth: .millimeters, rate: nil)
    #expect(try exporter.run { _ in true }.isWhole)
    let (streams, contents) = try imported(path)
    #expect(streams.count == 1 && streams[0].layout == original.streams[stream].layout.packed)
    #expect(areSame(contents.bytes(ofStream: 0), try original.bytes(ofStream: stream)))
  }

  @Test func `a video that is cut anywhere gives whole pictures from its start, or an error`() throws {
    let stream = try #require(original.streams.firstIndex { $0.kind == .depth })
    let path = folder.path("a.mkv")
    _ = try VideoExporter(
      original, to: path, stream: stream, part: nil, container: .mkv, depth: .millimeters, rate: nil
    ).run { _ in true }
    let (whole, expected) = (try FileBytes.read(path), try original.bytes(ofStream: stream))
    var counts: Set<Int> = []
    for part in 1...8 {
      let cut = folder.path("\(part).mkv")
      try FileBytes.write(Array(whole.prefix(whole.count * part / 9)), to: cut)
      do {
        let contents = try ImportedFrames.all(of: ImportCatalog.open(cut))
        let found = contents.bytes(ofStream: 0)
        #expect(contents.failure != nil, "\(part) of 9")
        #expect(found.count <= expected.count)
        for (frame, (bytes, original)) in zip(contents.frames, zip(found, expected)) where frame.flags.isEmpty {
          #expect(areSame(bytes, original), "\(part) of 9")
        }
        counts.insert(found.count)
      } catch {
        #expect(error is RetakeError, "\(error)")
      }
    }
    #expect(counts.contains { $0 > 0 })
  }
}
