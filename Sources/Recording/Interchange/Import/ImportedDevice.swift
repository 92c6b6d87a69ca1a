import CaptureDevices
import FrameModel
import Support

/// Presents a file or folder of another tool as a capture device. It waits for the recorder, so no
/// frame is dropped and every import gives the same frames.
final class ImportedDevice: CaptureDevice {
  typealias Delivery = @Sendable (_ sink: any CaptureSink, _ isStopping: @Sendable () -> Bool) -> Void

  let summary: String
  let streams: [StreamDescription]
  let isLive = false
  private let deliver: Delivery
  private let only = SingleDelivery()

  /// - Parameter deliver: gives every frame to the sink until `isStopping` returns true, then ends the
  ///   delivery with `finished`.
  init(_ summary: String, _ streams: [StreamDescription], deliver: @escaping Delivery) {
    self.summary = summary
    self.streams = streams
    self.deliver = deliver
  }

  deinit { stop() }

  func start(delivering sink: any CaptureSink) throws(RetakeError) {
    try only.start { [deliver] isStopping in deliver(sink, isStopping) }
  }

  func stop() { only.stop() }
}

extension [StreamDescription] {
  /// Adds a stream with a clock of nanoseconds, named by its kind: "color", then "color-1".
  /// - Parameter name: another name, which is taken if no stream has it.
  mutating func append(
    named name: String? = nil, _ kind: StreamKind, _ layout: FrameLayout, _ rate: FrameRate, device: String,
    _ settings: [StreamDescription.Setting]
  ) throws(RetakeError) {
    func isFree(_ name: String) -> Bool { !contains { $0.name == name } }
    let usual = (0...count).lazy.map { $0 == 0 ? kind.rawValue : "\(kind.rawValue)-\($0)" }.first(where: isFree)!
    append(
      StreamDescription(
        name: name.flatMap { isFree($0) ? $0 : nil } ?? usual, kind: kind, layout: layout,
        rate: rate, clock: try TickClock(hertz: 1_000_000_000, bits: 64), device: device, settings: settings))
  }
}
