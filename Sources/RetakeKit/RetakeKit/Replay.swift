internal import FrameModel
internal import Kernels
internal import MattePipeline
internal import Replay
public import RetakeReader
internal import Support

/// A place in the pipeline from which pictures can be taken.
public enum Tap: String, CaseIterable, Hashable, Sendable {
  /// `rgb24` of the video's size.
  case original
  /// `depthMillimeters16` of the prepared depth map's size.
  case depth
  /// `grey8` of the mask's size: 0 background, 255 person.
  case mask
  /// `grey8` of the video's size.
  case matte
  /// `rgb24` of the video's size.
  case composite
}

/// A replay of a recording through the pipeline.
///
/// The same recording and parameters give the same bytes on every machine and with any number of
/// threads.
///
///     let replay = Replay(try Recording(path: "session.retake"), try Parameters(preset: "desk"))
///     try replay.run(taps: [.matte]) { frame in print(frame.number, frame[.matte]!.value8(x: 0, y: 0)) }
public struct Replay: Sendable {
  public var recording: Recording
  public var parameters: Parameters
  /// Numbers of the frame sets to replay; nil for all.
  public var frames: Range<Int>?
  /// Plays every n-th frame set, 1 or more.
  public var every = 1
  /// Affects the speed only; nil for one thread per processor.
  public var threads: Int?

  public init(_ recording: Recording, _ parameters: Parameters, frames: Range<Int>? = nil) {
    (self.recording, self.parameters, self.frames) = (recording, parameters, frames)
  }

  /// One frame of a replay. Its pictures are copies and can be kept.
  public struct Frame: Sendable {
    /// Number of the frame set.
    public let number: Int
    public let presentationNanoseconds: Int64
    /// Whether depth was delivered with this frame; otherwise the last one holds.
    public let depthIsNew: Bool
    /// Millimetres; 0 if the mask uses no single distance.
    public let cutoffMillimeters: Int
    let images: [Tap: Image]

    /// Nil for a tap that was not asked for, or that these parameters do not make.
    public subscript(_ tap: Tap) -> Image? { images[tap] }
  }

  public struct Result: Hashable, Sendable {
    /// Frames with an output, and without one: before the first depth, or without a mask.
    public let frameCount: Int
    public let skippedFrameCount: Int
  }

  /// Replays to the end. Stages that no tap needs are not computed.
  /// - Parameters:
  ///   - taps: at least one.
  ///   - body: called with each frame in order; an error of its ends the replay.
  /// - Throws: `unsupported` for a recording that lacks what the parameters need, or has none of the
  ///   frames; errors of background and network files; what `body` throws.
  @discardableResult
  public func run(taps: Set<Tap>, _ body: (Frame) throws -> Void) throws -> Result {
    guard let first = taps.first else {
      throw RetakeReader.RetakeError(.usage, "The replay has no tap.", hint: "ask for one, such as .composite")
    }
    let stages = taps.reduce(into: first.stages) { $0.formUnion($1.stages) }
    // A composite needs every stage; a tap alone must not change what the others show.
    return try withoutActuallyEscaping(body) { body in
      let sink = TapSink(taps, body)
      do throws(InsideError) {
        let session = try session(wanted: stages)
        let result = try session.run(RenderOutputs([("taps", sink)]))
        return Result(frameCount: sink.frameCount, skippedFrameCount: result.skipped)
      } catch {
        throw sink.failure ?? RetakeReader.RetakeError(error)
      }
    }
  }

  /// Replays to the end and writes the digests of every stage of every frame, as `retake replay
  /// --output digests:FILE` does; `retake compare` compares two such files.
  /// - Returns: the digest of all digests: 32 hexadecimal digits.
  /// - Throws: as `run`; errors of the file.
  @discardableResult
  public func writeDigests(to path: String) throws(RetakeReader.RetakeError) -> String {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      let session = try session(wanted: .all)
      let file = try DigestSink(path: path, header: session.header, maskDigest: { session.segmenter?.maskDigest })
      let roll = RollSink()
      _ = try session.run(RenderOutputs([("digests", file), ("roll", roll)]))
      return roll.hex
    }
  }

  func request() throws(InsideError) -> ReplayRequest {
    let firstNumber = recording.firstFrameSet
    var order = PlayOrder.everything
    if let frames {
      guard frames.lowerBound >= firstNumber else {
        throw InsideError(
          .notFound, "\(recording.path) has no frame set \(frames.lowerBound).", hint: "its first is \(firstNumber)")
      }
      order.frames = frames.lowerBound - firstNumber..<frames.upperBound - firstNumber
    }
    guard every >= 1 else {
      throw InsideError(.usage, "A replay cannot play every \(every)th frame.", hint: "set every to 1 or more")
    }
    order.every = every
    return ReplayRequest(
      preset: parameters.preset, parameters: parameters.values, order: order, firstNumber: firstNumber)
  }

  private func session(wanted: PipelineStages) throws(InsideError) -> ReplaySession {
    try ReplaySession(recording.store, try request(), wanted: wanted, threadCount: threadCount(threads))
  }
}

/// A number of threads that a caller gave.
func threadCount(_ wanted: Int?) -> Int { wanted.map { min(max(1, $0), 256) } ?? ProcessorCount.usable }

extension Tap {
  fileprivate var stages: PipelineStages {
    switch self {
    case .original: .original
    case .depth: [.original, .depth]
    case .mask: [.original, .mask]
    case .matte: [.original, .matte]
    case .composite: [.original, .composite]
    }
  }

  fileprivate func image(of output: PipelineOutput) -> Image? {
    switch self {
    case .original: Self.image(.rgb24, output.original)
    case .depth: output.depth.flatMap { Self.image(.depthMillimeters16, $0) }
    case .mask: output.mask.flatMap { Self.image(.grey8, $0) }
    case .matte: output.matte.flatMap { Self.image(.grey8, $0) }
    case .composite: Self.image(.rgb24, output.composite)
    }
  }

  private static func image<Sample>(_ format: FrameModel.PixelFormat, _ plane: PixelPlane<Sample>) -> Image? {
    guard let layout = try? FrameLayout(format, width: plane.width, height: plane.height) else { return nil }
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    buffer.mutableBytes.copyMemory(from: plane.bytes)
    return Image(layout, buffer, byteCount: layout.byteCount)
  }
}

private final class TapSink: RenderSink {
  private let taps: Set<Tap>
  private let body: (Replay.Frame) throws -> Void
  private(set) var frameCount = 0
  /// The caller's error.
  private(set) var failure: (any Error)?

  init(_ taps: Set<Tap>, _ body: @escaping (Replay.Frame) throws -> Void) { (self.taps, self.body) = (taps, body) }

  func take(_ output: PipelineOutput) throws(InsideError) {
    var images: [Tap: Image] = [:]
    for tap in taps { images[tap] = tap.image(of: output) }
    do {
      try body(
        Replay.Frame(
          number: output.index, presentationNanoseconds: output.presentation.nanoseconds,
          depthIsNew: output.depthIsNew, cutoffMillimeters: Int(output.cutoffMillimeters), images: images))
    } catch {
      failure = error
      throw InsideError(.unsupported, "Stopped by the caller.")
    }
    frameCount += 1
  }

  func finish() {}
}

private final class RollSink: RenderSink {
  private var digests = FrameDigests()
  private var roll = DigestRoll()
  var hex: String { roll.hex }

  func take(_ output: PipelineOutput) { roll.add(DigestLine(frame: output.index, digests: digests.of(output))) }
  func finish() {}
}
