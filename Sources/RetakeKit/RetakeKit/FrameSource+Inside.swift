internal import CaptureDevices
internal import FrameModel
internal import RetakeReader
internal import Support

/// A program's source as a device that the recorder knows.
final class SourceDevice: CaptureDevice {
  /// Frames of a stream in memory at most.
  private static let frameLimit = 64

  let streams: [StreamDescription]
  let isLive: Bool
  var summary: String { source.name }
  private let source: any FrameSource
  private let delivery = SingleDelivery()

  /// - Throws: `.usage` for streams that cannot be recorded.
  init(_ source: any FrameSource) throws(InsideError) {
    self.source = source
    isLive = source.isLive
    let name = source.name
    guard !name.isEmpty, FrameModel.Mark.isLabel(name) else {
      throw InsideError(
        .usage, "A source's name must be one line of at most \(FrameModel.Mark.largestLabelByteCount) bytes.",
        hint: "name driver and device, as in acme-tof:00123")
    }
    guard !source.streams.isEmpty else {
      throw InsideError(.usage, "Source '\(name)' has no stream.", hint: "give at least one")
    }
    var names: Set<String> = []
    streams = try source.streams.map { stream throws(InsideError) in
      guard names.insert(stream.name).inserted, !stream.name.isEmpty, FrameModel.Mark.isLabel(stream.name) else {
        throw InsideError(
          .usage, "Source '\(name)' has a stream '\(stream.name)'.",
          hint: "stream names are one line, and each stream has its own")
      }
      return try stream.description(device: name)
    }
  }

  deinit { stop() }

  func start(delivering sink: any CaptureSink) throws(InsideError) {
    let pools = streams.map { FrameBufferPool(bufferByteCount: $0.layout.byteCount, limit: Self.frameLimit) }
    let (source, streams, isLive) = (source, streams, isLive)
    try delivery.start { isStopping in
      let output = FrameOutput(streams: streams, pools: pools, isLive: isLive, sink: sink, stopping: isStopping)
      do {
        try source.run(output)
        sink.finished(nil)
      } catch let error as RetakeReader.RetakeError {
        sink.finished(error.inside())
      } catch {
        sink.finished(InsideError(.device, "Source '\(source.name)' failed: \(error)"))
      }
    }
  }

  func stop() { delivery.stop() }
}

extension SourceStream {
  fileprivate func description(device: String) throws(InsideError) -> StreamDescription {
    guard let kind = StreamKind(rawValue: kind.rawValue), let format = FrameModel.PixelFormat(rawValue: format.rawValue)
    else {
      throw InsideError(
        .unsupported, "Stream '\(name)' has kind \(kind) and format \(format), which this version cannot record.",
        hint: "use one of the declared kinds and formats")
    }
    return StreamDescription(
      name: name, kind: kind, layout: try FrameLayout(format, width: width, height: height),
      rate: try FrameRate(rate.numerator, rate.denominator), clock: try TickClock(hertz: tickHertz, bits: tickBits),
      device: device, settings: settings.map { .init($0.name, $0.value) })
  }
}
