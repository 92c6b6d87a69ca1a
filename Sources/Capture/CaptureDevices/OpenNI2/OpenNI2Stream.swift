import COpenNI2
import FrameModel
import Support

/// A stream of an open camera, from its creation to its end.
struct OpenNI2Stream {
  /// Two seconds at 30 fps, in case the recorder falls behind.
  private static let bufferLimit = 64

  let handle: OpaquePointer
  let mode: OpenNI2Mode
  let pool: FrameBufferPool

  /// Sets the mode, and turns mirroring off, which the library turns on for most cameras.
  init(_ mode: OpenNI2Mode, _ sensor: Int, of device: OpaquePointer) throws(RetakeError) {
    var handle: OpaquePointer?
    guard openNI.oniDeviceCreateStream(device, Int32(sensor), &handle) == COPENNI2_OK, let handle else {
      throw Self.failure(mode, "be created")
    }
    self.handle = handle
    self.mode = mode
    pool = FrameBufferPool(bufferByteCount: mode.layout.byteCount, limit: Self.bufferLimit)
    do throws(RetakeError) {
      try set(Int(COPENNI2_VIDEO_MODE), to: mode.mode) { Self.isEqual($0, mode.mode) }
      if openNI.oniStreamIsPropertySupported(handle, Int32(COPENNI2_MIRRORING)) != 0 {
        try set(Int(COPENNI2_MIRRORING), to: Int32(0)) { $0 == 0 }
      }
    } catch {
      openNI.oniStreamDestroy(handle)
      throw error
    }
  }

  /// Does not set what is set already: some drivers refuse that.
  private func set<Value: BitwiseCopyable>(
    _ property: Int, to value: Value, isSet: (Value) -> Bool
  ) throws(RetakeError) {
    var (current, byteCount) = (value, Int32(MemoryLayout<Value>.size))
    let status = withUnsafeMutableBytes(of: &current) {
      openNI.oniStreamGetProperty(handle, Int32(property), $0.baseAddress, &byteCount)
    }
    if status == COPENNI2_OK, isSet(current) { return }
    let result = withUnsafeBytes(of: value) {
      openNI.oniStreamSetProperty(handle, Int32(property), $0.baseAddress, byteCount)
    }
    guard result == COPENNI2_OK else { throw Self.failure(mode, "be set to \(mode.settings[0].value)") }
  }

  private static func isEqual(_ a: OniVideoMode, _ b: OniVideoMode) -> Bool {
    (a.format, a.width, a.height, a.fps) == (b.format, b.width, b.height, b.fps)
  }

  func start() throws(RetakeError) {
    guard openNI.oniStreamStart(handle) == COPENNI2_OK else { throw Self.failure(mode, "be started") }
  }

  private static func failure(_ mode: OpenNI2Mode, _ what: String) -> RetakeError {
    RetakeError(
      .device, "The camera's \(mode.kind.rawValue) could not \(what)\(OpenNI2Library.words).",
      hint: "close other programs that use it, and connect it to a USB controller of its own")
  }

  /// Passes on the frame that waits, or reports why it is lost.
  func deliver(stream index: Int, to sink: any CaptureSink) {
    let arrival = MonotonicTime.now()
    var pointer: UnsafeMutablePointer<OniFrame>?
    guard openNI.oniStreamReadFrame(handle, &pointer) == COPENNI2_OK, let pointer else { return }
    defer { openNI.oniFrameRelease(pointer) }
    let frame = pointer.pointee
    func lose(_ reason: FrameEvent.Reason) {
      sink.report(CaptureLoss(streamIndex: index, reason: reason, count: 1, arrival: arrival))
    }
    let (layout, stride) = (mode.layout, Int(frame.bytes_per_row))
    guard frame.width == layout.width, frame.height == layout.height, frame.mode.format == mode.mode.format,
      (layout.bytesPerRow...2 * layout.bytesPerRow).contains(stride), let data = frame.data,
      Int(frame.byte_count) >= stride * (layout.rowCount - 1) + layout.bytesPerRow
    else { return lose(.damaged) }
    guard let buffer = pool.take() else { return lose(.dropped) }
    let source = UnsafeRawBufferPointer(start: data, count: Int(frame.byte_count))
    for row in 0..<layout.rowCount {
      buffer.mutableBytes[(row * layout.bytesPerRow)...].copyBytes(
        from: source[row * stride..<row * stride + layout.bytesPerRow])
    }
    sink.deliver(
      CapturedFrame(
        streamIndex: index, layout: layout, buffer: buffer, byteCount: layout.byteCount,
        deviceSequence: UInt64(exactly: frame.number), deviceTick: frame.timestamp, arrival: arrival))
  }
}
