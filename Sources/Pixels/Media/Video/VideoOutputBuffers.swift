import CV4L2
import Glibc
import Support

/// Passes pictures to a V4L2 driver in its memory-mapped buffers, which all of the kernel's output
/// drivers support.
///
/// A queued buffer belongs to the driver until it has been shown and dequeued. `close` and deinit
/// release everything, also after errors.
final class VideoOutputBuffers {
  private let descriptor: Int32
  private let path: String
  private let patience: WritePatience
  private var mappings: [UnsafeMutableRawBufferPointer] = []
  /// Buffers that were never queued: the last ones of `mappings`.
  private var freshCount = 0
  private var queuedCount = 0
  private var isStreaming = false
  /// Whether the driver has allocated buffers for us.
  private var areMade = false
  private var isOpen = true
  private var hasFailed = false

  /// One shown, one waiting, one being filled. More would only add latency.
  private static let wantedCount = 3
  /// The kernel's limit; drivers may allocate more than was requested.
  private static let largestCount = 32
  private static let lookMicroseconds: UInt32 = 10_000
  /// Consecutive looks without progress after which `drain` gives up.
  private static let patientLooks = 25
  private static let type = UInt32(V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)
  private static let memory = UInt32(V4L2_MEMORY_MMAP.rawValue)

  /// - Parameter descriptor: of a node whose format is set; it is not closed here.
  /// - Returns: nil if the driver has no such buffers.
  /// - Throws: `.device` if another program uses them, or for an invalid answer.
  static func make(
    _ descriptor: Int32, path: String, patience: WritePatience
  ) throws(RetakeError) -> VideoOutputBuffers? {
    let buffers = VideoOutputBuffers(descriptor, path, patience)
    guard let count = try buffers.request() else { return nil }
    for index in 0..<count { try buffers.map(index) }
    buffers.freshCount = count
    return buffers
  }

  private init(_ descriptor: Int32, _ path: String, _ patience: WritePatience) {
    self.descriptor = descriptor
    self.path = path
    self.patience = patience
  }

  deinit { close() }

  /// - Returns: how many the driver allocated; nil if it supports none.
  private func request() throws(RetakeError) -> Int? {
    var request = v4l2_requestbuffers()
    request.count = UInt32(Self.wantedCount)
    request.type = Self.type
    request.memory = Self.memory
    guard call(CV4L2_REQUEST_BUFFERS, &request) else {
      let code = errno
      if code == EINVAL || code == ENOTTY { return nil }
      if code == EBUSY {
        throw RetakeError(
          .device, "\(path) is in use: another program is writing to it.",
          hint: "close that program, or use another video node")
      }
      throw failure("could not allocate buffers", code)
    }
    areMade = true
    guard (1...Self.largestCount).contains(Int(request.count)) else {
      throw RetakeError(
        .device, "\(path) allocated \(request.count) picture buffers instead of \(Self.wantedCount).",
        hint: "reload its driver, or use another video node")
    }
    return Int(request.count)
  }

  private func map(_ index: Int) throws(RetakeError) {
    var buffer = buffer(index)
    guard call(CV4L2_QUERY_BUFFER, &buffer) else { throw failure("could not describe a buffer", errno) }
    let count = Int(buffer.length)
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(buffer.m.offset))
    // MAP_FAILED is −1, a macro that Swift does not import.
    guard let start, Int(bitPattern: start) != -1 else { throw failure("could not map a buffer", errno) }
    mappings.append(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Waits while the driver has all buffers.
  /// - Throws: `.inputOutput` if it returns none after `patience` is over, `.device` if it fails,
  ///   and immediately in all later calls.
  func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    guard !hasFailed else {
      throw RetakeError(
        .device, "\(path) failed earlier and accepts no more pictures.",
        hint: "start again, or use another video node")
    }
    do throws(RetakeError) {
      let index = try nextFree()
      guard picture.count <= mappings[index].count else {
        throw RetakeError(
          .device,
          "\(path) has buffers of \(mappings[index].count) bytes, too small for pictures of \(picture.count) bytes.",
          hint: "close other programs that use it, and start again")
      }
      mappings[index].copyMemory(from: picture)
      var buffer = buffer(index)
      buffer.bytesused = UInt32(picture.count)
      buffer.field = UInt32(V4L2_FIELD_NONE.rawValue)
      guard call(CV4L2_QUEUE_BUFFER, &buffer) else { throw failure("did not accept a picture", errno) }
      queuedCount += 1
      try startStreaming()
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Starts with the first queued picture, since before there is nothing to show.
  private func startStreaming() throws(RetakeError) {
    guard !isStreaming else { return }
    var type = Int32(bitPattern: Self.type)
    guard call(CV4L2_STREAM_ON, &type) else { throw failure("could not start streaming", errno) }
    isStreaming = true
  }

  private func nextFree() throws(RetakeError) -> Int {
    if freshCount > 0 {
      defer { freshCount -= 1 }
      return mappings.count - freshCount
    }
    while true {
      var found: Result<Int, RetakeError>?
      try patience.wait(path) {
        found = look()
        if found == nil && WritePatience.isReady(descriptor) {
          found = look()
          // poll reports ready, but there is no buffer: sleep instead of spinning.
          if found == nil { usleep(Self.lookMicroseconds) }
        }
        return found != nil
      }
      if let found { return try found.get() }
    }
  }

  private func look() -> Result<Int, RetakeError>? {
    do throws(RetakeError) {
      guard let index = try dequeue() else { return nil }
      return .success(index)
    } catch {
      return .failure(error)
    }
  }

  /// A buffer marked as damaged was shown as it is; the next picture replaces it.
  /// - Returns: nil while the driver returns no buffer.
  private func dequeue() throws(RetakeError) -> Int? {
    var buffer = buffer(0)
    guard call(CV4L2_DEQUEUE_BUFFER, &buffer) else {
      let code = errno
      if code == EAGAIN { return nil }
      throw failure("did not return a buffer", code)
    }
    let index = Int(buffer.index)
    guard mappings.indices.contains(index), queuedCount > 0 else {
      throw RetakeError(
        .device, "\(path) returned a buffer that it does not have: \(index).",
        hint: "reload its driver, or use another video node")
    }
    queuedCount -= 1
    return index
  }

  /// Lets the driver show what is queued, then releases everything.
  func close() {
    guard isOpen else { return }
    isOpen = false
    if isStreaming {
      if !hasFailed { drain() }
      var type = Int32(bitPattern: Self.type)
      _ = call(CV4L2_STREAM_OFF, &type)
    }
    for mapping in mappings { munmap(mapping.baseAddress, mapping.count) }
    if areMade {
      var request = v4l2_requestbuffers()
      request.type = Self.type
      request.memory = Self.memory
      _ = call(CV4L2_REQUEST_BUFFERS, &request)
    }
    mappings = []
  }

  /// Waits until all pictures were shown, or the driver shows no more. Does not use poll, which
  /// reports a driver ready when it has too few buffers.
  private func drain() {
    var looks = 0
    while queuedCount > 0, looks < Self.patientLooks {
      do throws(RetakeError) {
        if try dequeue() != nil {
          looks = 0
          continue
        }
      } catch {
        return
      }
      looks += 1
      usleep(Self.lookMicroseconds)
    }
  }

  private func buffer(_ index: Int) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = Self.type
    buffer.memory = Self.memory
    return buffer
  }

  private func call(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Bool {
    while true {
      if ioctl(descriptor, request, argument) == 0 { return true }
      if errno != EINTR { return false }
    }
  }

  /// - Parameter what: a predicate such as "takes no picture".
  private func failure(_ what: String, _ code: Int32) -> RetakeError {
    RetakeError(
      .device, "\(path) \(what): \(String(cString: strerror(code))).",
      hint: "'v4l2-ctl -d \(path) --all' shows its settings")
  }
}
