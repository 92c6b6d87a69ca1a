import CV4L2
import FrameModel
import Glibc

/// A node under /dev, accessed through libv4l2 if that is installed. The library's plugins support
/// drivers that need more than system calls, such as those with planes in separate buffers. Its
/// conversions are off, since they list formats that the camera lacks.
final class LinuxVideoNode: VideoNode {
  let descriptor: Int32
  /// V4L2_BUF_TYPE_… of its buffers.
  let type: UInt32
  private var mappings: [UnsafeRawBufferPointer] = []
  private var isOpen = true

  static let captureType = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
  static let metadataType = UInt32(V4L2_BUF_TYPE_META_CAPTURE.rawValue)

  /// Why libv4l2 could not be loaded; nil if it was.
  static let missingLibrary: String? = cv4l2_load().map { String(cString: $0) }

  init(path: String, type: UInt32 = captureType) throws(KernelError) {
    _ = Self.missingLibrary
    let descriptor = cv4l2_open(path)
    guard descriptor >= 0 else { throw KernelError(errno) }
    // Checked first, because a plugin of libv4l2 prints to standard error about other devices.
    // Paths that are not devices may still be cameras to a plugin.
    var status = stat()
    let isDevice = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    guard !isDevice || cv4l2_is_video_device(descriptor) != 0,
      type != Self.captureType || cv4l2_adopt(descriptor) >= 0
    else {
      let error = KernelError(errno)
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.type = type
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    for mapping in mappings {
      cv4l2_munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count)
    }
    mappings = []
    cv4l2_close(descriptor)
  }

  /// Repeats a call that a signal interrupted.
  func call(_ body: () -> Int32) throws(KernelError) {
    while true {
      if body() >= 0 { return }
      if errno != EINTR { throw KernelError(errno) }
    }
  }

  func keep(_ mapping: UnsafeRawBufferPointer) { mappings.append(mapping) }

  func capability() throws(KernelError) -> VideoCapability {
    var answer = v4l2_capability()
    try call { cv4l2_query_capability(descriptor, &answer) }
    let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    return VideoCapability(
      driver: Self.text(answer.driver), card: Self.text(answer.card), bus: Self.text(answer.bus_info),
      flags: hasOwn ? answer.device_caps : answer.capabilities)
  }

  func input() -> VideoInput? {
    var index: Int32 = 0
    guard (try? call { cv4l2_get_input(descriptor, &index) }) != nil else { return nil }
    var entry = v4l2_input()
    entry.index = UInt32(bitPattern: index)
    guard (try? call { cv4l2_enumerate_input(descriptor, &entry) }) != nil else { return nil }
    let isDigital = entry.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
    let problems: [(Int32, String)] = [
      (V4L2_IN_ST_NO_POWER, "no power"), (V4L2_IN_ST_NO_SIGNAL, "no signal"),
      (V4L2_IN_ST_NO_SYNC, "no synchronisation with the signal"),
    ]
    return VideoInput(
      index: Int(index), name: Self.text(entry.name),
      problem: problems.first { entry.status & UInt32(bitPattern: $0.0) != 0 }?.1,
      signalRate: isDigital ? signalRate() : nil)
  }

  func select(input: Int) throws(KernelError) {
    var index = Int32(clamping: input)
    try call { cv4l2_set_input(descriptor, &index) }
  }

  private func signalRate() -> FrameRate? {
    var pixelsPerSecond: UInt64 = 0
    var pixelsPerFrame: UInt64 = 0
    guard (try? call { cv4l2_get_signal_timing(descriptor, &pixelsPerSecond, &pixelsPerFrame) }) != nil else {
      return nil
    }
    return FrameRate.reduced(pixelsPerSecond, pixelsPerFrame)
  }

  /// Text in a C array, up to its first zero.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension FrameRate {
  /// The fraction in lowest terms; nil if it is not a valid rate.
  static func reduced(_ numerator: UInt64, _ denominator: UInt64) -> FrameRate? {
    guard numerator > 0, denominator > 0 else { return nil }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    guard let n = Int(exactly: numerator / a), let d = Int(exactly: denominator / a) else { return nil }
    return try? FrameRate(n, d)
  }
}
