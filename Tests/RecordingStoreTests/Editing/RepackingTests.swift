import ChunkFormat
import Foundation
import FrameModel
import Kernels
import RecordingStore
import Support
import TestSupport
import Testing

/// Archives of few large files that hold the same frames.
@Suite struct RepackingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path, marks: ["fall"])
  }

  private func repacked(_ from: String, _ name: String, _ repack: Repack) throws -> Recording {
    let report = try repack.run(
      Recording(path: from), into: RecordingFolder(path: folder.path(name)), threadCount: 2)
    let copy = try Recording(path: folder.path(name))
    #expect(try Verification.run(copy).isWhole)
    #expect(try copy.chunkFiles().reduce(0) { $0 + $1.byteCount } == report.copy.byteCount)
    return copy
  }

  /// All that readers see of frames, without their places in files.
  private func content(_ recording: Recording) throws -> [[String]] {
    try recording.streams.indices.map { stream in
      let decoded = try FrameReader(recording)
      return try recording.frameRows(stream: stream, from: 0, limit: 1000).map { row in
        let frame = try decoded.frame(row)
        return "\(row.number) \(row.timestamps) \(row.flags) \(frame.copiedBytes)"
      }
    }
  }

  private func facts(_ recording: Recording) throws -> [String] {
    let events = try recording.events().map { "\($0)" }.sorted()
    let sets = try recording.frameSets(0..<1000).map { "\($0.master.number) \($0.partners.map(\.number)) \($0.faces)" }
    return try events + sets + recording.marks().map { "\($0)" } + recording.faceCounts().map { "\($0)" }
  }

  @Test func `an archive holds the same in one file, and unpacking gives the old frames to the bit`() throws {
    let original = try Recording(path: path)
    try TagFile(original.folder).change { tags throws(RetakeError) in try tags.set("light", to: "dark") }
    try AlignmentFile(original.folder).write(.init(x: 1000, y: 0, uncertainty: 10, frameCount: 5))
    let archive = try repacked(path, "archive.retake", .archive())
    let unpacked = try repacked(archive.folder.path, "unpacked.retake", .working)
    for copy in [archive, unpacked] {
      #expect(copy.identity == original.identity)
      #expect(copy.recordedStreams == original.recordedStreams)
      #expect(try content(copy) == content(original))
      #expect(try facts(copy) == facts(original))
      #expect(try copy.tags() == original.tags())
      #expect(try copy.alignment() == original.alignment())
    }
    #expect(try original.chunkFiles().count >= 4)
    #expect(try archive.chunkFiles().count == 1)
    #expect(try unpacked.chunkFiles().count == 2, "a recorder's files end after two seconds")
    let sizes = try [original, archive].map { try $0.summary().streams.map(\.storedByteCount).reduce(0, +) }
    #expect(sizes[1] < sizes[0])
    // Equal input gives equal files, whatever the number of threads.
    let again = folder.path("again.retake")
    _ = try Repack.archive().run(original, into: RecordingFolder(path: again), threadCount: 1)
    #expect(
      try FileBytes.read(again + "/chunks/000000.mcap") == FileBytes.read(archive.folder.path + "/chunks/000000.mcap"))
  }

  @Test func `chunk files are joined up to the size that was asked for`() throws {
    let archive = try repacked(path, "archive.retake", .archive(chunkFileByteCount: 30_000))
    let files = try archive.chunkFiles()
    #expect(files.count >= 2)
    for file in files.dropLast() { #expect((30_000..<400_000).contains(file.byteCount)) }
    #expect(try content(archive) == content(Recording(path: path)))
  }

  @Test func `frames that a repair could not find are missing from the archive, with an event, under another id`()
    throws
  {
    try FileManager.default.removeItem(atPath: path + "/chunks/000001.mcap")
    let report = try Repair.run(path: path)
    #expect(!report.isLossless)
    let original = try Recording(path: path)
    let archive = try repacked(path, "archive.retake", .archive())
    #expect(archive.identity.id != original.identity.id)
    let checksums = try [original, archive].map { recording in
      try recording.streams.indices.map { try recording.frameRows(stream: $0, from: 0, limit: 1000).map(\.checksum) }
    }
    #expect(checksums[0] == checksums[1])
    let lost = try [original, archive].map { recording in
      try recording.events().filter { $0.stage == .disk && $0.reason == .dropped }.reduce(0) { $0 + $1.count }
    }
    #expect(lost[0] == lost[1] && lost[0] > 0)
  }

  @Test func `a damaged recording is refused, and nothing is made`() throws {
    let chunk = path + "/chunks/000001.mcap"
    var bytes = try FileBytes.read(chunk)
    for place in bytes.count / 3..<bytes.count / 3 + 40 { bytes[place] ^= 0xFF }
    try Data(bytes).write(to: URL(fileURLWithPath: chunk))
    let error = #expect(throws: RetakeError.self) {
      try Repack.archive().run(Recording(path: path), into: RecordingFolder(path: folder.path("archive.retake")))
    }
    #expect(error?.code == .corrupt && error?.hint.contains("retake trim") == true)
    #expect(try Folder.names(in: folder.path) == ["a.retake"])
  }

  @Test func `the smallest payloads are as small as the best, give or take a hundredth, and decode to the same frame`()
    throws
  {
    let (encoder, decoder) = (try FrameEncoder(), try FrameDecoder())
    for (format, width, height) in [
      (PixelFormat.rgb24, 64, 48), (.yuyv, 61, 47), (.grey8, 160, 120), (.depthMillimeters16, 160, 120),
      (.disparityFloat32, 33, 21),
    ] {
      let layout = try FrameLayout(format, width: width, height: height)
      let frame = TestFrames.captured(layout, stream: 0, index: 3)
      let bytes = UnsafeRawBufferPointer(rebasing: frame.buffer.bytes[..<frame.byteCount])
      let best = try encoder.encode(bytes, layout: layout, effort: .best) { $1.count }
      let smallest = try encoder.encode(bytes, layout: layout, effort: .smallest) { (codec: $0, payload: Array($1)) }
      #expect(smallest.payload.count <= best + best / 100, "\(format)")
      let message = FrameMessage(
        number: 0, layout: layout.packed, byteCount: frame.byteCount, deviceSequence: nil,
        timestamps: FrameTimestamps(
          deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
          presentation: PresentationTime(nanoseconds: 0)), flags: [], codec: smallest.codec,
        checksum: Checksum.xxh3(bytes))
      let output = FrameBuffer(byteCount: frame.byteCount)
      try smallest.payload.withRawBytes { payload throws(RetakeError) in
        _ = try decoder.decode(
          payload, of: message, into: UnsafeMutableRawBufferPointer(rebasing: output.mutableBytes[..<frame.byteCount]))
      }
    }
  }
}
