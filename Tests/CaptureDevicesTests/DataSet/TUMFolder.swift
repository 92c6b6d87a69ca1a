import CaptureDevices
import Foundation
import FrameModel
import Media
import Support
import Synchronization

/// A data set in a temporary folder, for the tests of `TUMDataSet`.
struct TUMFolder {
  let path: String

  /// Runs the body with an empty folder, and removes it.
  static func with(_ body: (TUMFolder) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "retake-tum-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(TUMFolder(path: path))
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileBytes.write(bytes, to: file)
  }

  func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

  /// A colour picture whose pixels count up from `first`.
  func color(_ name: String, width: Int = 4, height: Int = 2, first: Int = 0) throws {
    try write(
      Self.png(Self.counting(width * height * 3, first), width: width, height: height, as: .rgb8), name)
  }

  static func counting(_ count: Int, _ first: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: first + $0) }
  }

  func depth(_ name: String, _ samples: [UInt16], width: Int) throws {
    let bytes = samples.withUnsafeBytes { [UInt8]($0) }
    try write(Self.png(bytes, width: width, height: samples.count / width, as: .grey16), name)
  }

  func grey(_ name: String, _ bytes: [UInt8], width: Int) throws {
    try write(Self.png(bytes, width: width, height: bytes.count / width, as: .grey8), name)
  }

  private static func png(_ bytes: [UInt8], width: Int, height: Int, as samples: SampleFormat) throws
    -> [UInt8]
  {
    try bytes.withUnsafeBytes { try PNGEncoder.encode($0, width: width, height: height, as: samples) }
  }

  func open(_ options: String = "") throws -> TUMDataSet {
    try TUMDataSet(DeviceSpecification("tum:\(path)\(options)"))
  }

  /// Everything that the data set delivers, and the error at its end.
  static func deliver(_ device: TUMDataSet) throws -> (frames: [CapturedFrame], error: RetakeError?) {
    let sink = TUMSink()
    try device.start(delivering: sink)
    sink.waitForEnd()
    device.stop()
    return (sink.frames, sink.error)
  }
}

/// Keeps what is delivered.
final class TUMSink: CaptureSink {
  private struct State {
    var frames: [CapturedFrame] = []
    var error: RetakeError?
    var ends = 0
  }
  private let state = Mutex(State())
  private let end = DispatchSemaphore(value: 0)
  private let onFrame: @Sendable (Int) -> Void

  init(onFrame: @escaping @Sendable (Int) -> Void = { _ in }) { self.onFrame = onFrame }

  func deliver(_ frame: CapturedFrame) {
    let count = state.withLock {
      $0.frames.append(frame)
      return $0.frames.count
    }
    onFrame(count)
  }

  func report(_ loss: CaptureLoss) {}

  func finished(_ error: RetakeError?) {
    state.withLock {
      $0.error = error
      $0.ends += 1
    }
    end.signal()
  }

  func waitForEnd() { end.wait() }
  var frames: [CapturedFrame] { state.withLock { $0.frames } }
  var error: RetakeError? { state.withLock { $0.error } }
  var ends: Int { state.withLock { $0.ends } }
}

extension CapturedFrame {
  var usedBytes: [UInt8] { [UInt8](buffer.bytes[..<byteCount]) }

  var samples16: [UInt16] {
    stride(from: 0, to: byteCount, by: 2).map {
      UInt16(littleEndian: buffer.bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self))
    }
  }
}
