import FrameModel
import MattePipeline
import Media
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import Support
import TestSupport
import Testing

/// Replays of the scene into files of digests, as `retake replay` writes them.
final class ComparedReplays {
  let folder: TemporaryFolder
  let recording: String
  private var count = 0
  private var bases: [[String]: String] = [:]

  /// Networks and pictures that parameters can name.
  let matteModel: String
  let otherModel: String
  let labelModel: String
  let picture: String
  let plate: String

  init(emptyCount: Int = 0) throws {
    folder = try TemporaryFolder()
    recording = try ComparisonScene.record(folder, emptyCount: emptyCount)
    let sizes = "input:\n  scale: 1\n  size: 24x18\n  fast: 16x12\n  accurate: 48x36\n"
    matteModel = try SegmentationNetwork.write(SegmentationNetwork.anySize(), to: folder, "matte.onnx", yaml: sizes)
    otherModel = try SegmentationNetwork.write(SegmentationNetwork.matte(32, 24), to: folder, "other.onnx")
    labelModel = try SegmentationNetwork.write(SegmentationNetwork.labels(24, 18), to: folder, "labels.onnx")
    picture = folder.path("picture.png")
    var image = RGBImage(width: 60, height: 80)
    for i in image.pixels.indices { image.pixels[i] = UInt8(truncatingIfNeeded: i &* 37 / 5) }
    try PictureFile.writePNG(image, to: picture)
    plate = folder.path("room.retake-plate")
    try FileBytes.write(try Self.scene(of: recording).bytes, to: plate)
  }

  /// Of the first frame without a face.
  private static func scene(of recording: String) throws -> EmptyScene {
    var parameters = try Preset.named("static-camera").parameters(ReplaySession.declarations)
    try parameters.set("mask.plate-frames", to: "1")
    let request = ReplayRequest(preset: "static-camera", parameters: parameters)
    let session = try ReplaySession(Recording(path: recording), request, wanted: .mask, threadCount: 1)
    _ = try session.run(RenderOutputs([]))
    return try #require(session.learnedScene).scene
  }

  /// A preset, with a network should it need one.
  func parameters(_ preset: String, _ assignments: [String]) throws -> ParameterSet {
    var parameters = try Preset.named(preset).parameters(ReplaySession.declarations)
    try parameters.set("mask.model", to: matteModel)
    for assignment in assignments { try parameters.set(assignment) }
    return parameters
  }

  /// - Returns: the path of the file of digests.
  func digests(_ preset: String, _ assignments: [String] = [], order: PlayOrder = .everything) throws -> String {
    let parameters = try parameters(preset, assignments)
    return try digests(ReplayRequest(preset: preset, parameters: parameters, order: order))
  }

  func digests(_ request: ReplayRequest, _ recording: String? = nil) throws -> String {
    count += 1
    let path = folder.path("\(count).jsonl")
    let session = try ReplaySession(Recording(path: recording ?? self.recording), request, threadCount: 1)
    let sink = try DigestSink(path: path, header: session.header, maskDigest: { session.segmenter?.maskDigest })
    _ = try session.run(RenderOutputs([("digests", sink)]))
    return path
  }

  /// Those of a preset, made once.
  func base(_ preset: String, _ assignments: [String]) throws -> String {
    if let path = bases[[preset] + assignments] { return path }
    let path = try digests(preset, assignments)
    bases[[preset] + assignments] = path
    return path
  }

  static func compare(_ a: String, _ b: String) throws -> DigestFileComparison {
    try DigestFileComparison(DigestFileReader(path: a), DigestFileReader(path: b))
  }
}

extension ParameterDeclaration {
  /// Other values than the one it has: its neighbours, its range's ends and what lies between.
  func candidates(besides value: String, models: [String], plate: String, picture: String) -> [String] {
    let all: [String] =
      switch domain {
      case .integer(let range):
        integers(range, around: Int(value) ?? range.lowerBound).map { "\($0)" }
      case .real(let range):
        reals(range, around: Double(value) ?? range.lowerBound).map { ParameterValue.real($0).description }
      case .flag: ["true", "false"]
      case .fraction: ["1/1", "1/2", "2/3", "1/3"]
      case .choice(let choices): choices
      case .path: name == "mask.plate" ? [plate] : name.hasPrefix("mask.") ? models : [picture]
      case .color: ["#000000", "#ffffff", "#204060"]
      case .text, .size, .rate, .frames, .span: []  // of devices
      }
    return all.filter { $0 != value }
  }

  private func integers(_ range: ClosedRange<Int>, around value: Int) -> [Int] {
    [value + 1, value - 1, range.lowerBound, min(range.upperBound, 1000)].filter(range.contains)
  }

  private func reals(_ range: ClosedRange<Double>, around value: Double) -> [Double] {
    let step = (range.upperBound - range.lowerBound) / 8
    return [value + step, value - step, range.lowerBound, range.upperBound].filter(range.contains)
  }
}
