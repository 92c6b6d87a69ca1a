import CV4L2
import Glibc

extension LinuxVideoNode {
  func requestBuffers(_ count: Int) throws(KernelError) -> Int {
    var request = v4l2_requestbuffers()
    request.count = UInt32(clamping: count)
    request.type = type
    request.memory = UInt32(V4L2_MEMORY_MMAP.rawValue)
    try call { cv4l2_request_buffers(descriptor, &request) }
    return Int(request.count)
  }

  private func buffer(_ index: Int) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = UInt32(clamping: index)
    buffer.type = type
    buffer.memory = UInt32(V4L2_MEMORY_MMAP.rawValue)
    return buffer
  }

  private func query(_ index: Int) throws(KernelError) -> v4l2_buffer {
    var buffer = buffer(index)
    try call { cv4l2_query_buffer(descriptor, &buffer) }
    return buffer
  }

  func bufferState(_ index: Int) throws(KernelError) -> VideoBufferState { Self.state(try query(index)) }

  func map(_ index: Int) throws(KernelError) -> UnsafeRawBufferPointer {
    let buffer = try query(index)
    let start = cv4l2_mmap(Int(buffer.length), descriptor, Int64(buffer.m.offset))
    // MAP_FAILED is −1, a macro that Swift does not import.
    guard let start, Int(bitPattern: start) != -1 else { throw KernelError(errno) }
    let mapping = UnsafeRawBufferPointer(start: start, count: Int(buffer.length))
    keep(mapping)
    return mapping
  }

  func queue(_ index: Int) throws(KernelError) {
    var buffer = buffer(index)
    try call { cv4l2_queue_buffer(descriptor, &buffer) }
  }

  func startStreaming() throws(KernelError) {
    var type = Int32(bitPattern: self.type)
    try call { cv4l2_stream_on(descriptor, &type) }
  }

  func stopStreaming() {
    var type = Int32(bitPattern: self.type)
    _ = cv4l2_stream_off(descriptor, &type)
  }

  func wait(milliseconds: Int) -> VideoReadiness {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(clamping: milliseconds)) > 0 else { return .nothing }
    return entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 ? .broken : .filled
  }

  func dequeue() throws(KernelError) -> VideoBufferState {
    var buffer = buffer(0)
    try call { cv4l2_dequeue_buffer(descriptor, &buffer) }
    return Self.state(buffer)
  }

  private static func state(_ buffer: v4l2_buffer) -> VideoBufferState {
    // The kernel splits an unsigned count; wrapping arithmetic restores it if seconds are negative.
    let nanoseconds = Int64(buffer.timestamp.tv_sec) &* 1_000_000_000 &+ Int64(buffer.timestamp.tv_usec) &* 1000
    return VideoBufferState(
      index: Int(buffer.index), byteCount: Int(buffer.bytesused), flags: buffer.flags, sequence: buffer.sequence,
      nanoseconds: UInt64(bitPattern: nanoseconds))
  }
}
