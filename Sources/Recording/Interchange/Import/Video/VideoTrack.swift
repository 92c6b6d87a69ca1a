import FrameModel
import Kernels
import Support

/// A track of a video file, and how ffmpeg delivers its pictures.
struct VideoTrack: Sendable {
  enum Delivery: Hashable, Sendable {
    /// The track's own JPEGs, one packet per picture.
    case packets
    /// Decoded by ffmpeg to one of its pixel formats.
    case decoded(pixelFormat: String, RowCoding)
  }

  /// ffmpeg's index of the track.
  let index: Int
  let title: String
  let kind: StreamKind
  let delivery: Delivery
  let layout: FrameLayout
  /// Of depth; nil for other kinds, and for depth whose unit is not known.
  let unit: DepthUnit?
  /// What differs from the file's own pictures, one sentence each.
  let remarks: [String]
  /// Seconds per unit of time, as a fraction.
  let timeBase: (numerator: Int64, denominator: Int64)
  /// From the file's header, for a track with a single picture.
  let averageRate: FrameRate?
  let settings: [StreamDescription.Setting]
  /// Pictures that the file's header counts; 0 if it does not.
  let statedCount: Int
  private let range: ColorMatrix.Range
  private let rotation: Rotation
  /// Device time of the track's time 0, nanoseconds.
  private let startNanoseconds: Int64
  private(set) var pictures: [Picture] = []

  struct Picture: Hashable, Sendable {
    var nanoseconds: Int64
    var byteCount: Int
    /// Its decoder reported damage in it, or in a picture that it depends on.
    var isSuspect: Bool
    /// Needs no picture before it. False if that is not known.
    var isKey = false
  }

  var coding: PictureCoding {
    switch delivery {
    case .packets: PictureCoding(layout: layout, coding: .jpeg)
    case .decoded(_, let rows): PictureCoding(layout: layout, coding: .rows(rows))
    }
  }

  /// - Parameters:
  ///   - stream: as ffprobe describes it in JSON.
  ///   - unit: of depth, given by the user.
  ///   - startNanoseconds: device time of the file's time 0.
  /// - Throws: why the track is left out.
  init(_ stream: [String: Any], unit: DepthUnit?, startNanoseconds: Int64 = 0) throws(RetakeError) {
    func text(_ name: String) -> String { stream[name] as? String ?? "" }
    let tags = Self.tags(stream)
    title = tags["title"] ?? ""
    guard let index = stream["index"] as? Int, text("codec_type") == "video", let width = stream["width"] as? Int,
      let height = stream["height"] as? Int
    else { throw Self.leftOut(text("codec_type"), tags) }
    self.index = index
    guard (stream["disposition"] as? [String: Any])?["attached_pic"] as? Int != 1 else {
      throw RetakeError(.unsupported, "it is a cover picture")
    }
    let isInfrared = title.uppercased() == "IR" || tags["K4A_IR_TRACK"] != nil || tags["K4A_IR_MODE"] != nil
    let (codec, pixelFormat) = (text("codec_name"), text("pix_fmt"))
    guard !pixelFormat.isEmpty else {
      let name = codec.isEmpty ? "pictures of an unknown codec" : codec
      throw RetakeError(.corrupt, "\(name), of which ffmpeg reads no picture: the file may be cut, or ffmpeg lacks it")
    }
    rotation = Rotation(stream)
    guard
      let samples = TrackSamples(
        codec: codec, pixelFormat: pixelFormat, isTurned: rotation == .quarter || rotation == .half,
        isOdd: (rotation == .quarter ? height : width) % 2 == 1)
    else {
      throw RetakeError(.unsupported, "\(codec) with pixel format \(pixelFormat) is not supported")
    }
    let isDepth = samples.format.isDepth && !isInfrared
    kind = isDepth ? .depth : isInfrared ? .infrared : .color
    delivery = samples.delivery
    let depthUnit = isDepth ? unit ?? Self.statedUnit(tags, title) : nil
    self.unit = depthUnit
    layout = try FrameLayout(
      depthUnit?.format ?? (samples.format.isDepth && isInfrared ? .grey16 : samples.format),
      width: rotation == .quarter ? height : width,
      height: rotation == .quarter ? width : height)
    let base = text("time_base").split(separator: "/").compactMap { Int64($0) }
    guard base.count == 2, (1...1_000_000_000).contains(base[0]), (1...1_000_000_000).contains(base[1]) else {
      throw RetakeError(.corrupt, "its time base '\(text("time_base").prefix(40))' is invalid")
    }
    timeBase = (base[0], base[1])
    self.startNanoseconds = startNanoseconds
    averageRate = FrameRate(text("avg_frame_rate")).flatMap { $0.framesPerSecond <= 1000 ? $0 : nil }
    statedCount = min(Self.largestStatedCount, Int(text("nb_frames")) ?? 0)
    range = Self.range(text("color_range"), codec: codec, pixelFormat: pixelFormat)
    var colors: [StreamDescription.Setting] = []
    if layout.format == .yuyv || layout.format == .nv12 {
      if let encoding = Self.encodings[text("color_space")] {
        colors.append(.init(ColorMatrix.encodingSetting, encoding.rawValue))
      }
      colors.append(.init(ColorMatrix.rangeSetting, range.rawValue))
    }
    settings =
      [.init("track", title), .init("codec", codec)] + colors
      + tags.filter { $0.key.hasPrefix("K4A_") && $0.key.hasSuffix("_MODE") }.sorted { $0.key < $1.key }
      .map { .init($0.key, $0.value) } + (depthUnit?.settings ?? [])
    remarks = samples.remarks + rotation.remarks + Self.transferRemarks(text("color_transfer"))
  }

  private static let largestStatedCount = 10_000_000

  private static func tags(_ stream: [String: Any]) -> [String: String] { stream["tags"] as? [String: String] ?? [:] }

  private static func leftOut(_ type: String, _ tags: [String: String]) -> RetakeError {
    let reason =
      switch type {
      case "audio": "it is sound, which a recording does not hold"
      case "subtitle" where tags["K4A_IMU_TRACK"] != nil || tags["title"] == "IMU":
        "it has motion samples, which a recording does not hold in this form"
      case "subtitle": "it has subtitles"
      default: "it has no pictures"
      }
    return RetakeError(.unsupported, reason)
  }

  /// An Azure Kinect records millimetres; `retake export` states the unit.
  private static func statedUnit(_ tags: [String: String], _ title: String) -> DepthUnit? {
    if let stated = tags[DepthUnit.tag.uppercased()] ?? tags[DepthUnit.tag] { return try? DepthUnit("\(stated)um") }
    let isAzureKinect = title == "DEPTH" || tags["K4A_DEPTH_TRACK"] != nil || tags["K4A_DEPTH_MODE"] != nil
    return isAzureKinect ? .millimeter : nil
  }

  private static func transferRemarks(_ transfer: String) -> [String] {
    ["smpte2084", "arib-std-b67"].contains(transfer)
      ? ["its colours are HDR (\(transfer)) and are kept without tone mapping"] : []
  }

  /// ffmpeg's names of colour matrices; other names are ignored.
  private static let encodings: [String: ColorMatrix.Encoding] = [
    "smpte170m": .bt601, "bt470bg": .bt601, "bt709": .bt709, "bt2020nc": .bt2020, "smpte240m": .smpte240M,
  ]

  /// Unstated, limited, as H.264's Annex E and players have it; JPEG is always full.
  private static func range(_ word: String, codec: String, pixelFormat: String) -> ColorMatrix.Range {
    switch word {
    case "pc": .full
    case "tv": .limited
    default: codec == "mjpeg" || pixelFormat.hasPrefix("yuvj") ? .full : .limited
    }
  }

  /// Arguments with which ffmpeg writes the pictures in order to its standard output.
  func arguments(_ file: VideoFile) -> [String] {
    switch delivery {
    case .packets:
      return file.input() + ["-map", "0:\(index)", "-c", "copy", "-copyinkf", "-f", "rawvideo", "pipe:1"]
    case .decoded(let pixelFormat, _):
      // ffmpeg turns pictures by whole quarters before other filters.
      let options = Self.exactDecoding + (rotation.isApplied ? [] : ["-noautorotate"])
      return file.input(options) + ["-map", "0:\(index)"] + ["-vf", filter] + [
        "-fps_mode", "passthrough", "-pix_fmt", pixelFormat, "-f", "rawvideo", "pipe:1",
      ]
    }
  }

  /// The same pixels on every processor.
  private static let exactDecoding = ["-flags:v", "+bitexact", "-idct", "simple"]

  /// Keeps the size, should the file change it.
  private var filter: String {
    // ffmpeg assumes limited range for raw pictures and would compress full-range samples.
    let isKept = range == .full && (layout.format == .nv12 || layout.format == .yuyv)
    return "scale=\(layout.width):\(layout.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
      + (isKept ? ":in_range=full:out_range=full" : "")
  }

  /// Bytes of a picture as ffmpeg writes it.
  var decodedByteCount: Int {
    guard case .decoded(_, let rows) = delivery else { return layout.byteCount }
    return oddWidth?.byteCount ?? rows.sourceByteCount(layout.format, width: layout.width) * layout.rowCount
  }

  /// Nil for pictures that ffmpeg writes with a recording's rows.
  var oddWidth: OddWidthPicture? {
    guard case .decoded(_, let rows) = delivery, layout.format == .nv12, layout.width % 2 == 1 else { return nil }
    return OddWidthPicture(width: layout.width, height: layout.height, isPlanar: rows == .lowTenBits)
  }

  /// Whether a decoded picture has the size that the track states.
  func hasSize(width: Int, height: Int) -> Bool {
    let size = rotation == .quarter ? (height, width) : (width, height)
    return size == (layout.width, layout.height)
  }

  /// Adds a picture at a time in the track's units. One without a valid time is kept too, at the pace of the
  /// pictures before, or at the time of the last one.
  mutating func add(
    units: Int64?, byteCount: Int, isSuspect: Bool = false, isKey: Bool = false, keepsPace: Bool = true
  ) {
    let last = pictures.last?.nanoseconds ?? 0
    let pace = keepsPace ? (last - (pictures.first?.nanoseconds ?? 0)) / Int64(max(1, pictures.count - 1)) : 0
    let time = units.flatMap { nanoseconds($0) } ?? ((last + pace).isPlausibleTime ? last + pace : last)
    pictures.append(Picture(nanoseconds: time, byteCount: byteCount, isSuspect: isSuspect, isKey: isKey))
  }

  mutating func removePictures() { pictures = [] }

  /// - Returns: nil for a time that no recording can hold.
  private func nanoseconds(_ units: Int64) -> Int64? {
    let product = units.magnitude.multipliedReportingOverflow(by: UInt64(timeBase.numerator))
    guard !product.overflow else { return nil }
    let wide = product.partialValue.multipliedFullWidth(by: 1_000_000_000)
    guard wide.high < UInt64(timeBase.denominator) else { return nil }
    let nanoseconds = UInt64(timeBase.denominator).dividingFullWidth(wide).quotient
    guard let magnitude = Int64(exactly: nanoseconds), magnitude.isPlausibleTime else { return nil }
    let time = (units < 0 ? -magnitude : magnitude) + startNanoseconds
    return time.isPlausibleTime ? time : nil
  }
}
