import Foundation
import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay
import Support

/// Compares threshold, Gaussian blur, gamma, cubic scaling and blend with three OpenCV versions of
/// the same chain: same depth, alternating, one thread each. The goal applies to the first version,
/// which calls OpenCV's function for each step; the others show how fast OpenCV can be made.
enum ChainBenchmark {
  fileprivate static let sigma = 5.0
  fileprivate static let power = 0.5
  private static let roundCount = 25

  /// - Parameters:
  ///   - contender: path of the program compiled from opencv-chain.cpp.
  ///   - folder: for the files passed to the contender.
  static func run(_ recording: Recording, contender: String, folder: String) throws {
    let scene = try DepthScene(recording)
    let chain = try Chain(scene)
    let mattePath = "\(folder)/chain-matte"
    let opencv = try started(contender, scene, folder: folder, mattePath: mattePath)
    let ways = try (0..<Contender.chainCount).map { _ in try opencv.line() }
    var own: [Double] = []
    var rounds: [[Double]] = []
    for _ in 0..<roundCount {
      let seconds = Stopwatch.measure { for frame in 0..<scene.frameCount { chain.process(frame) } }
      own.append(seconds * 1e3 / Double(scene.frameCount))
      rounds.append(try opencv.round())
    }
    try opencv.finish()
    let ownTime = Stopwatch.median(own)
    let times = ways.indices.map { i in Stopwatch.median(rounds.map { $0[i] }) }
    let ratios = times.map { ownTime / $0 }
    func named(_ i: Int) -> String { "OpenCV (\(ways[i])) \(Stopwatch.text(times[i]))" }
    print(
      """
        \(scene.width)x\(scene.height) to \(scene.video.width)x\(scene.video.height), nearer than \(scene.cutoff) mm, one \
      thread, CPU ms a frame, medians of \(roundCount) rounds in turn:
          Retake \(Stopwatch.text(ownTime))
          \(named(0)): ratio \(Goal.atMost(0.30, ratios[0]))
          the fastest way of each step, \(named(1)): ratio \(Stopwatch.text(ratios[1]))
          that with intrinsics, \(named(2)): ratio \(Stopwatch.text(ratios[2]))
          the mattes differ by \(Stopwatch.text(try chain.meanDifference(from: mattePath))) of 255 on average
      """)
  }

  private static func started(_ contender: String, _ scene: DepthScene, folder: String, mattePath: String) throws
    -> Contender
  {
    let depthPath = "\(folder)/chain-depth"
    try scene.depthBytes.write(to: URL(fileURLWithPath: depthPath))
    return try Contender(
      contender,
      [
        depthPath, "\(scene.width)", "\(scene.height)", "\(scene.cutoff)", "\(scene.video.width)",
        "\(scene.video.height)", mattePath,
      ])
  }

  /// Median time of the first OpenCV version, CPU ms per frame.
  static func contenderMilliseconds(_ recording: Recording, contender: String, folder: String, roundCount: Int) throws
    -> Double
  {
    let opencv = try started(
      contender, try DepthScene(recording), folder: folder, mattePath: "\(folder)/chain-matte")
    for _ in 0..<Contender.chainCount { _ = try opencv.line() }
    let times = try (0..<roundCount).map { _ in try opencv.round()[0] }
    try opencv.finish()
    return Stopwatch.median(times)
  }
}

/// A recording's depth, as prepared by a pipeline.
private struct DepthScene {
  let width: Int
  let height: Int
  let video: FrameLayout
  /// Millimetres: the median of the pipeline's cutoffs.
  let cutoff: Int
  let frames: [PixelPlane<UInt16>]
  let picture: PixelPlane<UInt8>
  var frameCount: Int { frames.count }

  init(_ recording: Recording) throws {
    guard let color = recording.firstStream(.color), let depth = recording.firstStream(.depth) else {
      throw RetakeError(.unsupported, "\(recording.folder.path) has no colour and depth.")
    }
    video = recording.streams[color].layout
    let parameters = try Preset.measured.parameters(ReplayParameters.all + PipelineParameters.all)
    let format = try PipelineFormat(color: video, depth: recording.streams[depth].layout)
    let pipeline = try MattePipeline(format, parameters: parameters, threadCount: 1)
    let cursor = try ReplayCursor(
      recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: PlayOrder(frames: 0..<30)))
    var frames: [PixelPlane<UInt16>] = []
    var cutoffs: [Int] = []
    var picture: PixelPlane<UInt8>?
    while let set = try cursor.next() {
      guard let output = try pipeline.process(set).output, let depth = output.depth else { continue }
      let copy = PixelPlane<UInt16>(width: depth.width, height: depth.height)
      copy.samples.update(from: depth.samples, count: depth.count)
      frames.append(copy)
      cutoffs.append(Int(output.cutoffMillimeters))
      picture = output.original
    }
    guard let picture, let first = frames.first else {
      throw RetakeError(.unsupported, "\(recording.folder.path) makes no matte.")
    }
    (width, height) = (first.width, first.height)
    self.frames = frames
    self.picture = picture
    cutoff = cutoffs.sorted()[cutoffs.count / 2]
  }

  var depthBytes: Data { Data(frames.map { Data($0.bytes) }.joined()) }
}

/// Retake's kernels, called as its stages do.
private final class Chain {
  private let scene: DepthScene
  private let mask: PixelPlane<UInt8>
  private let blur: MaskBlur
  private let bend: MatteBend
  private let soft: MatteSamples
  private let scaling: MatteScaling
  private let matte: PixelPlane<UInt8>
  private let background: PixelPlane<UInt8>
  private let composite: PixelPlane<UInt8>

  init(_ scene: DepthScene) throws {
    self.scene = scene
    let (width, height) = (scene.width, scene.height)
    mask = PixelPlane(width: width, height: height)
    blur = MaskBlur(sigma: ChainBenchmark.sigma, width: width, height: height, threadCount: 1)
    bend = MatteBend(power: ChainBenchmark.power)
    soft = MatteSamples(width: width, height: height)
    // Stretched to the video's size, as the contender does.
    func table(_ source: Int, _ target: Int) -> ScaleTable {
      ScaleTable(
        .bicubic, ScaleLine(from: source, to: target, scaleNumerator: target, scaleDenominator: source))
    }
    scaling = MatteScaling(
      horizontal: table(width, scene.video.width), vertical: table(height, scene.video.height), threadCount: 1)
    matte = PixelPlane(width: scene.video.width, height: scene.video.height)
    background = PixelPlane(width: scene.video.width, height: scene.video.height, channels: 3)
    background.fill(90)
    composite = PixelPlane(width: scene.video.width, height: scene.video.height, channels: 3)
  }

  func process(_ frame: Int) {
    MaskThreshold.nearerThan(
      UInt16(scene.cutoff), depth: scene.frames[frame].samples, mask: mask.samples, count: mask.count)
    blur.apply(mask.samples, bend: bend, to: soft, rows: 0..<mask.height, thread: 0)
    scaling.apply(soft, to: matte.samples, rows: 0..<matte.height, thread: 0)
    Blend.rgb(
      foreground: scene.picture.samples, background: background.samples, matte: matte.samples,
      to: composite.samples, count: matte.count)
  }

  /// Mean absolute difference from the contender's matte of the last frame, of 255.
  func meanDifference(from path: String) throws -> Double {
    let other = try Data(contentsOf: URL(fileURLWithPath: path))
    guard other.count == matte.count else { throw RetakeError(.corrupt, "\(path) is not of the video's size.") }
    let sum = zip(matte.bytes, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(matte.count)
  }
}

/// Another program, which measures one round per line of input.
private final class Contender {
  static let chainCount = 3
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  init(_ path: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 10) {
        defer { pending = Data(pending[(end + 1)...]) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw RetakeError(.inputOutput, "The contender ended early.") }
      pending.append(more)
    }
  }

  /// Time of each chain, ms per frame.
  func round() throws -> [Double] {
    input.fileHandleForWriting.write(Data("\n".utf8))
    let times = try line().split(separator: " ").compactMap { Double($0) }
    guard times.count == Self.chainCount else {
      throw RetakeError(.corrupt, "The contender said something else than times.")
    }
    return times
  }

  func finish() throws {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RetakeError(.inputOutput, "The contender failed.") }
  }
}
