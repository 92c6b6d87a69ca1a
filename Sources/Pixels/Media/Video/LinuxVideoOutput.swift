import CV4L2
import FrameModel
import Glibc
import Support

/// A V4L2 node that accepts video, as those of v4l2loopback and of the kernel's output drivers.
///
/// Pictures are passed by `write` or in the driver's buffers (`VideoOutputBuffers`). The kernel's
/// drivers support buffers, and some announce `write` but refuse it. v4l2loopback supports both and
/// gets `write`: before version 0.14 it returns the buffer that was queued last, which its readers
/// are still reading.
package final class LinuxVideoOutput: VideoOutputNode {
  package let path: String
  package let takesVideo: Bool
  private let descriptor: Int32
  private let patience: WritePatience
  private let canWrite: Bool
  private var usesBuffers: Bool
  /// Created with the first picture, if buffers are used.
  private var buffers: VideoOutputBuffers?
  private var isOpen = true
  private static let outputType = UInt32(V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)

  /// - Throws: `.notFound` and others if the node cannot be opened, `.device` if it is no video
  ///   device, `.unsupported` if it is multi-planar only.
  package init(path: String, patience: WritePatience = WritePatience()) throws(RetakeError) {
    self.path = path
    self.patience = patience
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      var failure = FileBytes.failure("open", path)
      if failure.code == .notFound {
        failure.hint = "'apt install v4l2loopback-dkms', then 'modprobe v4l2loopback video_nr=9', makes /dev/video9"
      }
      throw failure
    }
    var capability = v4l2_capability()
    guard ioctl(descriptor, CV4L2_QUERYCAP, &capability) == 0 else {
      Glibc.close(descriptor)
      throw RetakeError(.device, "\(path) is not a video device.", hint: "'modprobe v4l2loopback' creates one")
    }
    let hasOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let flags = hasOwn ? capability.device_caps : capability.capabilities
    func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(flag) != 0 }
    guard has(V4L2_CAP_VIDEO_OUTPUT) || !has(V4L2_CAP_VIDEO_OUTPUT_MPLANE) else {
      Glibc.close(descriptor)
      throw RetakeError(
        .unsupported, "\(path) takes multi-planar pictures only, which Retake does not write.",
        hint: "'modprobe v4l2loopback' creates a single-planar device")
    }
    let driver = withUnsafeBytes(of: capability.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    canWrite = has(V4L2_CAP_READWRITE)
    usesBuffers = has(V4L2_CAP_STREAMING) && !(canWrite && driver == "v4l2 loopback")
    takesVideo = has(V4L2_CAP_VIDEO_OUTPUT) && (canWrite || usesBuffers)
  }

  deinit { close() }

  package func setFormat(_ samples: VideoOutputFormat.Samples, width: Int, height: Int) -> VideoOutputFormat? {
    var format = v4l2_format()
    format.type = Self.outputType
    format.fmt.pix.width = UInt32(width)
    format.fmt.pix.height = UInt32(height)
    format.fmt.pix.pixelformat = Self.code(samples)
    format.fmt.pix.field = UInt32(V4L2_FIELD_NONE.rawValue)
    format.fmt.pix.colorspace = UInt32(V4L2_COLORSPACE_SMPTE170M.rawValue)
    format.fmt.pix.bytesperline = UInt32(samples.packedBytesPerRow(width: width))
    // A JPEG has no rows. Cameras announce two bytes a pixel, which it hardly ever exceeds.
    format.fmt.pix.sizeimage =
      samples == .jpeg
      ? UInt32(width * height * 2) : format.fmt.pix.bytesperline * UInt32(samples.rowCount(height: height))
    guard ioctl(descriptor, CV4L2_SET_FORMAT, &format) == 0 else { return nil }
    let pixels = format.fmt.pix
    guard let taken = VideoOutputFormat.Samples.allCases.first(where: { Self.code($0) == pixels.pixelformat }) else {
      return nil
    }
    return VideoOutputFormat(
      samples: taken, width: Int(pixels.width), height: Int(pixels.height), bytesPerRow: Int(pixels.bytesperline),
      byteCount: Int(pixels.sizeimage))
  }

  package func setRate(_ rate: FrameRate) {
    var parameters = v4l2_streamparm()
    parameters.type = Self.outputType
    parameters.parm.output.timeperframe.numerator = UInt32(rate.denominator)
    parameters.parm.output.timeperframe.denominator = UInt32(rate.numerator)
    // May fail: some drivers have a rate of their own. v4l2loopback reports the rate to readers.
    _ = ioctl(descriptor, CV4L2_SET_PARAMETERS, &parameters)
  }

  package func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
    if usesBuffers && buffers == nil {
      buffers = try VideoOutputBuffers.make(descriptor, path: path, patience: patience)
      guard buffers != nil || canWrite else {
        throw RetakeError(
          .device, "\(path) provides no picture buffers.", hint: "'v4l2-ctl -d \(path) --all' shows what it supports")
      }
      usesBuffers = buffers != nil
    }
    if let buffers { return try buffers.write(picture) }
    while true {
      let n = Glibc.write(descriptor, picture.baseAddress!, picture.count)
      if n == picture.count { return }
      // A picture must be one write: the device discards the rest of a partial one.
      if n < 0 && errno == EINTR { continue }
      if n < 0 && errno == EAGAIN {
        try patience.wait(path) { WritePatience.isReady(descriptor) }
        continue
      }
      guard n < 0 else {
        throw RetakeError(
          .device, "\(path) accepted only \(n) of a picture's \(picture.count) bytes.",
          hint: "close other programs that set its format, and start again")
      }
      throw FileBytes.failure("write", path)
    }
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    buffers?.close()
    Glibc.close(descriptor)
  }

  private static func code(_ samples: VideoOutputFormat.Samples) -> UInt32 {
    samples.rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
