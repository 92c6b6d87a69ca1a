public import RetakeReader

/// A camera, or anything else that delivers frames, that a program provides.
public protocol FrameSource: AnyObject, Sendable {
  /// Identifies the device in recordings and messages: "acme-tof:00123". One line.
  var name: String { get }
  /// At least one.
  var streams: [SourceStream] { get }
  /// Whether frames come in real time. A recorder that falls behind drops and counts a live source's
  /// frames, and makes another source wait.
  var isLive: Bool { get }

  /// Delivers frames until there are no more, or until `output.isStopping`. Called once, on a thread
  /// of its own, which it may block.
  /// - Throws: any error; the recording ends with it, and keeps everything delivered before.
  func run(_ output: FrameOutput) throws
}

/// A stream of a source.
public struct SourceStream: Hashable, Sendable {
  /// Unique in its source: "color", "depth".
  public var name: String
  public var kind: RecordedStream.Kind
  public var format: PixelFormat
  /// Pixels, 1 to 16384.
  public var width: Int
  public var height: Int
  public var rate: RecordedStream.Rate
  /// What affects the pixels, such as calibration: "focal-x", "focal-y", "center-x", "center-y" in
  /// pixels, "registered" 1 where depth has colour's viewpoint, "depth-unit-micrometers" for depth in
  /// `grey16`.
  public var settings: [RecordedStream.Setting]
  /// Ticks per second of the device's clock, 1 to 10¹².
  public var tickHertz: Int64
  /// Width of the tick counter, 8 to 64; it may wrap.
  public var tickBits: Int

  public init(
    _ name: String, _ kind: RecordedStream.Kind, _ format: PixelFormat, width: Int, height: Int,
    rate: RecordedStream.Rate,
    settings: [RecordedStream.Setting] = [], tickHertz: Int64 = 1_000_000, tickBits: Int = 64
  ) {
    (self.name, self.kind, self.format, self.width, self.height) = (name, kind, format, width, height)
    (self.rate, self.settings, self.tickHertz, self.tickBits) = (rate, settings, tickHertz, tickBits)
  }
}
