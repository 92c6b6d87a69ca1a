import CV4L2
import FrameModel

extension LinuxVideoNode {
  /// Limit for drivers whose enumeration never ends; real ones have fewer entries.
  private static let mostEntries: UInt32 = 512

  private func list<Entry>(_ ask: (UInt32) -> Entry?) -> [Entry] {
    var entries: [Entry] = []
    for index in 0..<Self.mostEntries {
      guard let entry = ask(index) else { break }
      entries.append(entry)
    }
    return entries
  }

  func formats() -> [VideoFormatEntry] {
    list { index in
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = Self.captureType
      guard (try? call { cv4l2_enumerate_format(descriptor, &entry) }) != nil else { return nil }
      return VideoFormatEntry(
        FourCC(rawValue: entry.pixelformat), name: Self.text(entry.description),
        isEmulated: entry.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0)
    }
  }

  func sizes(of format: FourCC) -> VideoSizes {
    var range: VideoSizes?
    let sizes = list { index -> PictureSize? in
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = format.rawValue
      guard range == nil, (try? call { cv4l2_enumerate_size(descriptor, &entry) }) != nil else { return nil }
      if entry.type == UInt32(V4L2_FRMSIZE_TYPE_DISCRETE.rawValue) {
        return PictureSize(Int(entry.discrete.width), Int(entry.discrete.height))
      }
      let s = entry.stepwise
      range = .range(
        from: PictureSize(Int(s.min_width), Int(s.min_height)), to: PictureSize(Int(s.max_width), Int(s.max_height)),
        step: PictureSize(Int(s.step_width), Int(s.step_height)))
      return nil
    }
    if case .range(let from, _, _) = range, !from.isPossible { return .list([]) }
    return range ?? .list(sizes.filter(\.isPossible))
  }

  func rates(of format: FourCC, _ size: PictureSize) -> VideoRates {
    var range: VideoRates?
    let rates = list { index -> FrameRate? in
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = format.rawValue
      entry.width = UInt32(clamping: size.width)
      entry.height = UInt32(clamping: size.height)
      guard range == nil, (try? call { cv4l2_enumerate_interval(descriptor, &entry) }) != nil else { return nil }
      if entry.type == UInt32(V4L2_FRMIVAL_TYPE_DISCRETE.rawValue) { return Self.rate(entry.discrete) }
      // The longest interval is the lowest rate.
      if let from = Self.rate(entry.stepwise.max), let to = Self.rate(entry.stepwise.min) {
        range = .range(from: from, to: to)
      }
      return nil
    }
    return range ?? .list(rates)
  }

  /// The rate of an interval in seconds.
  private static func rate(_ interval: v4l2_fract) -> FrameRate? {
    FrameRate.reduced(UInt64(interval.denominator), UInt64(interval.numerator))
  }

  func format() throws(KernelError) -> VideoFormat {
    var format = v4l2_format()
    format.type = Self.captureType
    try call { cv4l2_get_format(descriptor, &format) }
    return Self.read(format)
  }

  func setFormat(_ code: FourCC, _ size: PictureSize) throws(KernelError) -> VideoFormat {
    var format = v4l2_format()
    format.type = Self.captureType
    // Starts from the current format, so that the driver keeps fields not set here.
    _ = cv4l2_get_format(descriptor, &format)
    format.fmt.pix.pixelformat = code.rawValue
    format.fmt.pix.width = UInt32(clamping: size.width)
    format.fmt.pix.height = UInt32(clamping: size.height)
    format.fmt.pix.field = UInt32(V4L2_FIELD_NONE.rawValue)
    // The driver computes both.
    format.fmt.pix.bytesperline = 0
    format.fmt.pix.sizeimage = 0
    try call { cv4l2_set_format(descriptor, &format) }
    return Self.read(format)
  }

  /// Sets the format of a metadata node.
  /// - Returns: what the driver set.
  func setMetadataFormat(_ code: FourCC) throws(KernelError) -> FourCC {
    var format = v4l2_format()
    format.type = Self.metadataType
    format.fmt.meta.dataformat = code.rawValue
    try call { cv4l2_set_format(descriptor, &format) }
    return FourCC(rawValue: format.fmt.meta.dataformat)
  }

  private static func read(_ format: v4l2_format) -> VideoFormat {
    let pix = format.fmt.pix
    var result = VideoFormat(
      FourCC(rawValue: pix.pixelformat), PictureSize(Int(pix.width), Int(pix.height)),
      bytesPerRow: Int(pix.bytesperline), byteCount: Int(pix.sizeimage), field: pix.field)
    result.colorspace = pix.colorspace
    result.encoding = pix.ycbcr_enc
    result.quantization = pix.quantization
    result.transfer = pix.xfer_func
    return result
  }

  func rate() -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = Self.captureType
    guard (try? call { cv4l2_get_parameters(descriptor, &parameters) }) != nil else { return nil }
    return Self.rate(parameters.parm.capture.timeperframe)
  }

  func setRate(_ rate: FrameRate) throws(KernelError) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = Self.captureType
    parameters.parm.capture.timeperframe.numerator = UInt32(clamping: rate.denominator)
    parameters.parm.capture.timeperframe.denominator = UInt32(clamping: rate.numerator)
    try call { cv4l2_set_parameters(descriptor, &parameters) }
    return Self.rate(parameters.parm.capture.timeperframe)
  }
}
