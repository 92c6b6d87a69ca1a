internal import CaptureDevices
internal import FrameModel
public import RetakeReader
internal import Support

/// Where a source delivers its frames. Can be used from any thread while the source runs.
public struct FrameOutput: Sendable {
  let streams: [StreamDescription]
  let pools: [FrameBufferPool]
  let isLive: Bool
  let sink: any CaptureSink
  let stopping: @Sendable () -> Bool

  /// Whether the recording is to end. The source then returns soon.
  public var isStopping: Bool { stopping() }

  /// Delivers a frame. Its bytes are copied.
  /// - Parameters:
  ///   - stream: index into the source's streams.
  ///   - bytes: of all rows, each of `bytesPerRow`; of a JPEG, the whole image.
  ///   - nanoseconds: when it was captured: for a live source by the host's monotonic clock, nil for
  ///     now; for others since a start of the source's own, required, and never decreasing.
  ///   - deviceTick: the device's timestamp as it came. The recorder maps the device's clock to the
  ///     host's by it, better than by `nanoseconds` alone.
  ///   - sequence: the driver's frame counter; a gap is recorded as a loss.
  ///   - bytesPerRow: nil for rows without padding.
  ///   - isDamaged: whether contents are incomplete. Missing bytes at the end are then allowed.
  ///   - faces: that the device itself reports for this frame.
  /// - Returns: false if the frame was not taken, since too many wait or the recording ends. A live
  ///   source's loss is counted.
  /// - Throws: `usage` for bytes that do not fit the stream, or a missing time.
  @discardableResult
  public func deliver(
    stream: Int, _ bytes: UnsafeRawBufferPointer, nanoseconds: Int64? = nil, deviceTick: UInt64? = nil,
    sequence: UInt64? = nil, bytesPerRow: Int? = nil, isDamaged: Bool = false, faces: [Face] = []
  ) throws(RetakeReader.RetakeError) -> Bool {
    guard streams.indices.contains(stream) else {
      throw RetakeReader.RetakeError(
        .usage, "The source has no stream \(stream).", hint: "it has \(streams.count), counted from 0")
    }
    let layout = streams[stream].layout
    guard let arrival = isLive ? MonotonicTime.now() : nanoseconds.map(MonotonicTime.init) else {
      throw RetakeReader.RetakeError(
        .usage, "A frame of '\(streams[stream].name)' has no time.",
        hint: "give nanoseconds, or make the source live")
    }
    guard arrival.nanoseconds.isPlausibleTime, nanoseconds?.isPlausibleTime ?? true else {
      throw RetakeReader.RetakeError(.usage, "A frame of '\(streams[stream].name)' has an impossible time.")
    }
    let byteCount = try check(bytes, layout, bytesPerRow, isDamaged: isDamaged, streams[stream].name)
    guard let buffer = isLive ? pools[stream].take() : pools[stream].take(waitingUnless: stopping) else {
      if isLive { sink.report(CaptureLoss(streamIndex: stream, reason: .dropped, count: 1, arrival: arrival)) }
      return false
    }
    copy(bytes, layout, bytesPerRow, byteCount, to: buffer)
    var frame = CapturedFrame(
      streamIndex: stream, layout: layout, buffer: buffer, byteCount: byteCount, deviceSequence: sequence,
      deviceTick: deviceTick, arrival: arrival, flags: isDamaged ? .damaged : [], faces: faces.map(\.observation))
    if deviceTick == nil { frame.taken = nanoseconds.map(MonotonicTime.init) }
    sink.deliver(frame)
    return true
  }

  /// The same for an array.
  @discardableResult
  public func deliver(
    stream: Int, _ bytes: [UInt8], nanoseconds: Int64? = nil, deviceTick: UInt64? = nil, sequence: UInt64? = nil,
    bytesPerRow: Int? = nil, isDamaged: Bool = false, faces: [Face] = []
  ) throws(RetakeReader.RetakeError) -> Bool {
    try bytes.withRawBytes { bytes throws(RetakeReader.RetakeError) in
      try deliver(
        stream: stream, bytes, nanoseconds: nanoseconds, deviceTick: deviceTick, sequence: sequence,
        bytesPerRow: bytesPerRow, isDamaged: isDamaged, faces: faces)
    }
  }

  /// Reports frames that were lost before the source got them.
  /// - Parameters:
  ///   - count: frames, 1 or more.
  ///   - nanoseconds: as of `deliver`.
  public func reportLoss(stream: Int, count: Int, nanoseconds: Int64? = nil) {
    guard streams.indices.contains(stream), count > 0 else { return }
    let time = isLive ? MonotonicTime.now() : MonotonicTime(nanoseconds: nanoseconds ?? 0)
    sink.report(CaptureLoss(streamIndex: stream, reason: .dropped, count: count, arrival: time))
  }

  /// - Returns: bytes of the packed frame.
  private func check(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, _ bytesPerRow: Int?, isDamaged: Bool, _ name: String
  ) throws(RetakeReader.RetakeError) -> Int {
    if layout.format == .jpeg {
      guard (1...layout.byteCount).contains(bytes.count) else {
        throw RetakeReader.RetakeError(
          .usage, "A JPEG of '\(name)' has \(bytes.count) bytes.", hint: "the limit is \(layout.byteCount)")
      }
      return bytes.count
    }
    let stride = bytesPerRow ?? layout.bytesPerRow
    // The last row's padding may be missing.
    let (whole, isTooLarge) = stride.multipliedReportingOverflow(by: layout.rowCount - 1)
    guard stride >= layout.bytesPerRow, !isTooLarge, isDamaged || bytes.count >= whole + layout.bytesPerRow,
      bytes.count <= whole + stride
    else {
      throw RetakeReader.RetakeError(
        .usage,
        "A \(layout.format.rawValue) frame of '\(name)' with \(layout.width)x\(layout.height) pixels has "
          + "\(bytes.count) bytes and \(stride) bytes per row.",
        hint: "without padding it has \(layout.byteCount) bytes, \(layout.bytesPerRow) per row")
    }
    let rows = min(layout.rowCount, bytes.count / stride)
    let rest = rows < layout.rowCount ? min(layout.bytesPerRow, bytes.count - rows * stride) : 0
    return rows * layout.bytesPerRow + rest
  }

  private func copy(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, _ bytesPerRow: Int?, _ byteCount: Int,
    to buffer: FrameBuffer
  ) {
    let stride = bytesPerRow ?? layout.bytesPerRow
    guard layout.format != .jpeg, stride > layout.bytesPerRow else {
      return buffer.mutableBytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    }
    var done = 0
    var start = 0
    while done < byteCount {
      let count = min(layout.bytesPerRow, byteCount - done)
      UnsafeMutableRawBufferPointer(rebasing: buffer.mutableBytes[done...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      done += count
      start += stride
    }
  }
}
