import Foundation
import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Segmentation
import Support
import Synchronization
import TestSupport
import Testing

/// Collects what a user is told.
private final class Notes: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite struct KeptMaskTests {
  private let folder: TemporaryFolder
  private let model: String
  private let path: String
  private let notes = Notes()
  private static let frameCount = 12

  init() throws {
    folder = try TemporaryFolder()
    model = try SegmentationNetwork.write(SegmentationNetwork.scores(16, 12), to: folder)
    path = folder.path("a.retake")
    let layout = try FrameLayout(.rgb24, width: 16, height: 12)
    let streams = [try TestFrames.stream("color", .color, layout)]
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<Self.frameCount { sink.deliver(TestFrames.captured(layout, stream: 0, index: index)) }
    #expect(recorder.finish().failure == nil)
  }

  private func segmenter(_ assignments: [String] = [], model: String? = nil, recording: Bool = true) throws
    -> KeptSegmenter
  {
    var parameters = try Preset.named("virtual-background").parameters(PipelineParameters.all)
    for assignment in ["mask.model=\(model ?? self.model)"] + assignments { try parameters.set(assignment) }
    let source = recording ? try Recording(path: path) : nil
    let notes = notes
    return try #require(try Segmenters.make(parameters, recording: source) { notes.add($0) })
  }

  private func picture(_ number: Int) -> PixelPlane<UInt8> { noise(16, 12, seed: UInt64(100 + number)) }

  /// Masks of frames, with the picture that each frame has here.
  private func masks(_ segmenter: KeptSegmenter, _ frames: some Sequence<Int>) throws -> [[UInt8]?] {
    let masks = try frames.map { try segmenter.mask(of: picture($0), number: $0) }
    segmenter.finish()
    return masks
  }

  private func maskFiles() throws -> [String] {
    let keys = try Folder.names(in: path + "/masks")
    return try keys.flatMap { key in try Folder.names(in: path + "/masks/" + key).map { "\(path)/masks/\(key)/\($0)" } }
  }

  @Test func `a second replay finds every mask, and never opens the network`() throws {
    let first = try segmenter()
    let computed = try masks(first, 0..<12)
    #expect(first.counts == .init(found: 0, computed: 12, failed: 0))
    #expect(computed == (0..<12).map { mapped(picture($0), SegmentationNetwork.label) })
    let second = try segmenter()
    // Other pictures: what was kept is what counts.
    let found = try (0..<12).map { try second.mask(of: noise(16, 12, seed: 7), number: $0) }
    #expect(found == computed)
    #expect(second.counts == .init(found: 12, computed: 0, failed: 0))
    #expect(second.identity == first.identity)
    #expect(second.maskDigest == first.maskDigest)
    let part = try segmenter()
    _ = try masks(part, 0..<11)
    #expect(part.maskDigest != first.maskDigest)
    #expect(notes.all.isEmpty)
  }

  @Test func `replays of parts add to each other`() throws {
    for (range, found) in [(0..<5, 0), (3..<8, 2), (7..<12, 1), (0..<12, 12)] {
      let one = try segmenter()
      _ = try masks(one, range)
      #expect(one.counts == .init(found: found, computed: range.count - found, failed: 0))
    }
    #expect(try maskFiles().map { $0.suffix(11) } == ["000000.mcap", "000001.mcap", "000002.mcap"])
    let kept = try Recording(path: path).keptMasks()
    #expect(kept.count == 1 && kept[0].maskCount == 12 && kept[0].byteCount > 0)
    #expect(kept[0].stream.model == "person.onnx" && kept[0].stream.answer == "labels")
  }

  @Test func `masks that two replays make at once are kept by both`() throws {
    let (one, other) = (try segmenter(), try segmenter())
    for number in 0..<12 {
      _ = try one.mask(of: picture(number), number: number)
      if number % 2 == 0 { _ = try other.mask(of: picture(number), number: number) }
    }
    one.finish()
    other.finish()
    #expect(try maskFiles().count == 2)
    let third = try segmenter()
    #expect(try masks(third, 0..<12) == (0..<12).map { mapped(picture($0), SegmentationNetwork.label) })
    #expect(third.counts.found == 12)
  }

  @Test func `label, softness and threshold share kept masks; the network, its settings and its input do not`() throws {
    let base = try segmenter().identity
    for assignment in ["mask.label=7", "mask.soft=true", "mask.threshold=0.9", "mask.every=3", "matte.blur=2"] {
      #expect(try segmenter([assignment]).identity == base)
    }
    let other = try SegmentationNetwork.write(SegmentationNetwork.labels(16, 12), to: folder, "other.onnx")
    #expect(try segmenter(model: other).identity != base)
    let settings = try SegmentationNetwork.write(
      SegmentationNetwork.scores(16, 12), to: folder, yaml: "# words\ninput: {scale: 1.5}")
    #expect(try segmenter(model: settings).identity != base)
    // Words that change nothing change no key.
    _ = try SegmentationNetwork.write(
      SegmentationNetwork.scores(16, 12), to: folder, yaml: "# words\ninput: {scale: 1.0, colors: rgb}")
    #expect(try segmenter().identity == base)
  }

  @Test func `without the model its kept masks serve, by the file's name or by their key`() throws {
    let expected = try masks(try segmenter(), 0..<6)
    try FileManager.default.removeItem(atPath: model)
    let key = try Recording(path: path).keptMasks()[0].stream.key
    for name in [model, "/elsewhere/person.onnx", key] {
      let one = try segmenter(model: name)
      #expect(try masks(one, 0..<6) == expected)
      #expect(one.counts.found == 6)
      let error = #expect(throws: RetakeError.self) { try one.mask(of: picture(6), number: 6) }
      #expect(error?.code == .notFound && error?.message.contains("frame 6") == true)
    }
    let error = #expect(throws: RetakeError.self) { try segmenter(model: "/elsewhere/other.onnx") }
    #expect(error?.code == .notFound && error?.hint.contains("person.onnx") == true)
  }

  @Test func `without the model only masks of the quality that is asked for serve, unless their key is named`() throws {
    let settings = "input: {size: 16x12, fast: 16x12, accurate: 16x12}"
    _ = try SegmentationNetwork.write(SegmentationNetwork.scores(16, 12), to: folder, yaml: settings)
    let expected = try masks(try segmenter(["mask.quality=fast"]), 0..<2)
    try FileManager.default.removeItem(atPath: model)
    let key = try Recording(path: path).keptMasks()[0].stream.key
    #expect(try masks(try segmenter(["mask.quality=fast"]), 0..<2) == expected)
    let error = #expect(throws: RetakeError.self) { try segmenter() }
    #expect(error?.code == .notFound && error?.message.contains("mask.quality=fast") == true)
    #expect(error?.hint.contains("mask.model=\(key)") == true)
    #expect(try masks(try segmenter(model: key), 0..<2) == expected)
  }

  @Test func `files that claim more masks than can be counted are no trouble to who lists them`() throws {
    let (one, other) = (try segmenter(), try segmenter())
    for number in 0..<3 {
      _ = try one.mask(of: picture(number), number: number)
      _ = try other.mask(of: picture(number), number: number)
    }
    one.finish()
    other.finish()
    let files = try maskFiles()
    #expect(files.count == 2)
    for file in files {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      // The record of statistics: opcode, eight bytes of length, and the count of messages in eight.
      let place = try #require(
        (0..<bytes.count - 17).last { place in
          bytes[place] == 0x0B && bytes[place + 9] == 3
            && (2...16).allSatisfy { $0 == 9 || bytes[place + $0] == 0 }
        })
      bytes.replaceSubrange(place + 9..<place + 17, with: Data(repeating: 0xFF, count: 8))
      // The summary's checksum: 0 is none.
      bytes.replaceSubrange(bytes.count - 12..<bytes.count - 8, with: Data(count: 4))
      try bytes.write(to: URL(fileURLWithPath: file))
    }
    let kept = try Recording(path: path).keptMasks()
    #expect(kept.count == 1 && (1...10_000).contains(kept[0].maskCount), "\(kept)")
  }

  @Test func `what a killed replay left half written is taken away by the next one that writes`() throws {
    _ = try masks(try segmenter(), 0..<2)
    let left = try #require(try maskFiles().first).replacingOccurrences(of: "000000.mcap", with: "000001.mcap.partial")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: left))
    // One that only reads leaves it.
    _ = try masks(try segmenter(), 0..<2)
    #expect(FileManager.default.fileExists(atPath: left))
    let (one, other) = (try segmenter(), try segmenter())
    _ = try one.mask(of: picture(2), number: 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: left)).count != 3)
    // But not what another is at.
    _ = try other.mask(of: picture(3), number: 3)
    one.finish()
    other.finish()
    #expect(try maskFiles().count == 3 && maskFiles().allSatisfy { $0.hasSuffix(".mcap") })
  }

  @Test func `a slow network's masks are put down as time passes, not at the end alone`() throws {
    let segmenter = try segmenter()
    let recording = try Recording(path: path)
    let color = recording.streams[0]
    let stream = KeptMaskStream(
      key: segmenter.identity.key, width: 2, height: 2, model: "m", network: "n", answer: "labels", settings: "",
      quality: "")
    let writer = try KeptMaskWriter(recording, stream, of: color, longestFileDuration: 0)
    let frame = try FrameReader(recording, heldFrameLimit: 1).frame(
      try #require(try recording.frameRows(stream: 0, from: 0, limit: 1).first))
    for _ in 0..<2 { try [1, 2, 3, 4].withRawBytes { try writer.append(frame, $0) } }
    #expect(try maskFiles().filter { $0.hasSuffix(".mcap") }.count == 2)
  }

  @Test func `of two networks of one name a key has to choose`() throws {
    _ = try masks(try segmenter(), 0..<2)
    _ = try SegmentationNetwork.write(SegmentationNetwork.labels(16, 12), to: folder)
    _ = try masks(try segmenter(), 0..<2)
    try FileManager.default.removeItem(atPath: model)
    let error = #expect(throws: RetakeError.self) { try segmenter() }
    #expect(error?.code == .usage)
    for kept in try Recording(path: path).keptMasks() {
      #expect(error?.hint.contains(kept.stream.key) == true)
      #expect(try segmenter(model: kept.stream.key).counts == .init())
    }
  }

  @Test func `a damaged mask is made anew, said once, and found from then on`() throws {
    let expected = try masks(try segmenter(), 0..<12)
    let file = try #require(try maskFiles().first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // In the middle of the frames, and not in the end's index.
    for i in 0..<40 { bytes[bytes.count / 3 + 7 * i] ^= 0x55 }
    try bytes.write(to: URL(fileURLWithPath: file))
    let second = try segmenter()
    #expect(try masks(second, 0..<12) == expected)
    #expect(second.counts.computed > 0 && second.counts.computed + second.counts.found == 12)
    #expect(notes.all.count == 1 && notes.all.first?.contains("/masks/") == true)
    let third = try segmenter()
    #expect(try masks(third, 0..<12) == expected)
    #expect(third.counts.found == 12)
  }

  @Test func `masks of another recording, or in another place, are not taken`() throws {
    _ = try masks(try segmenter(), 0..<12)
    let file = try #require(try maskFiles().first)
    try FileManager.default.moveItem(atPath: file, toPath: file.replacingOccurrences(of: "000000", with: "000003"))
    let one = try segmenter()
    _ = try masks(one, 0..<12)
    #expect(one.counts.computed == 12)
  }

  @Test func `where masks cannot be kept the replay goes on, and says so once`() throws {
    try Data().write(to: URL(fileURLWithPath: path + "/masks"))
    let one = try segmenter()
    #expect(try masks(one, 0..<12).allSatisfy { $0 != nil })
    #expect(one.counts.computed == 12)
    #expect(notes.all.count == 1 && notes.all.first?.hasPrefix("Masks could not be kept: ") == true)
  }

  /// Of the folder of all masks, or of those of one network.
  @Test(arguments: [true, false])
  func `masks are not kept behind a symbolic link, where nothing changes`(isOfNetwork: Bool) throws {
    let key = try segmenter().identity.key
    let outside = folder.path("outside")
    let place = isOfNetwork ? outside : outside + "/" + key
    let files = FileManager.default
    try files.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: place + "/000001.mcap.partial"))
    if isOfNetwork { try files.createDirectory(atPath: path + "/masks", withIntermediateDirectories: true) }
    let link = path + "/masks" + (isOfNetwork ? "/" + key : "")
    try files.createSymbolicLink(atPath: link, withDestinationPath: outside)
    let one = try segmenter()
    #expect(try masks(one, 0..<3).allSatisfy { $0 != nil })
    #expect(one.counts.computed == 3)
    #expect(notes.all == ["Masks could not be kept: \(link) is not a folder."])
    #expect(try Folder.names(in: place) == ["000001.mcap.partial"])
  }

  @Test func `masks are not kept in a folder that another program keeps locked, and the replay goes on`() throws {
    _ = try masks(try segmenter(), 0..<2)
    let key = try Folder.names(in: path + "/masks")[0]
    let claim = try FolderClaim(path: "\(path)/masks/\(key)")
    let one = try segmenter()
    #expect(try masks(one, 0..<4).allSatisfy { $0 != nil })
    #expect(one.counts == .init(found: 2, computed: 2, failed: 0))
    #expect(notes.all.count == 1 && notes.all.first?.contains("is locked by another program") == true)
    withExtendedLifetime(claim) {}
  }

  @Test func `masks of a camera are not kept`() throws {
    let live = try segmenter(recording: false)
    #expect(try masks(live, 0..<3).allSatisfy { $0 != nil })
    #expect(live.counts.computed == 3)
    #expect(!FileManager.default.fileExists(atPath: path + "/masks"))
  }

  @Test func `kept masks are no part of the recording for verify and recover`() throws {
    _ = try masks(try segmenter(), 0..<12)
    #expect(try Verification.run(try Recording(path: path)).isWhole)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    _ = try Repair.run(path: path)
    let recovered = try segmenter()
    #expect(try masks(recovered, 0..<12).count == 12)
    #expect(recovered.counts.found == 12)
  }

  @Test func `no model is wrong usage, and no segmentation needs none`() throws {
    let error = #expect(throws: RetakeError.self) { try segmenter(["mask.model="]) }
    #expect(error?.code == .usage && error?.hint.contains("mask.model=FILE.onnx") == true)
    let parameters = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    #expect(try Segmenters.make(parameters, recording: nil, note: { _ in }) == nil)
  }
}
