import FrameModel
import Kernels
import Support

/// A video track of a Matroska file, and how ffmpeg delivers its pictures.
struct MatroskaTrack: Sendable {
  enum Delivery: Hashable, Sendable {
    /// The track's own bytes, one packet per picture.
    case packets(PictureCoding.Coding)
    /// Decoded by ffmpeg to one of its pixel formats.
    case decoded(pixelFormat: String, RowCoding)
  }

  /// ffmpeg's index of the track.
  let index: Int
  let title: String
  let kind: StreamKind
  let delivery: Delivery
  let layout: FrameLayout
  /// Seconds per unit of time, as a fraction.
  let timeBase: (numerator: Int64, denominator: Int64)
  /// From the file's header, for a track with a single picture.
  let averageRate: FrameRate?
  let settings: [StreamDescription.Setting]
  private let range: ColorMatrix.Range?
  private(set) var pictures: [Picture] = []

  struct Picture: Hashable, Sendable {
    var nanoseconds: Int64
    var byteCount: Int
  }

  var coding: PictureCoding {
    switch delivery {
    case .packets(let coding): PictureCoding(layout: layout, coding: coding)
    case .decoded(_, let rows): PictureCoding(layout: layout, coding: .rows(rows))
    }
  }

  /// - Parameter stream: as ffprobe describes it in JSON.
  /// - Throws: why the track is left out.
  init(_ stream: [String: Any]) throws(RetakeError) {
    func text(_ name: String) -> String { stream[name] as? String ?? "" }
    let tags = stream["tags"] as? [String: String] ?? [:]
    title = tags["title"] ?? ""
    guard let index = stream["index"] as? Int, text("codec_type") == "video", let width = stream["width"] as? Int,
      let height = stream["height"] as? Int
    else { throw RetakeError(.unsupported, "it has no pictures") }
    self.index = index
    let isInfrared = title.uppercased() == "IR" || tags["K4A_IR_TRACK"] != nil || tags["K4A_IR_MODE"] != nil
    let codec = text("codec_name")
    guard let (format, delivery) = Self.delivery(codec: codec, pixelFormat: text("pix_fmt")) else {
      throw RetakeError(.unsupported, "\(codec) with pixel format \(text("pix_fmt")) is not supported")
    }
    guard !format.isDepth || !isInfrared else {
      throw RetakeError(.unsupported, "16-bit infrared is not supported")
    }
    kind = format.isDepth ? .depth : isInfrared ? .infrared : .color
    self.delivery = delivery
    layout = try FrameLayout(format, width: width, height: height)
    let base = text("time_base").split(separator: "/").compactMap { Int64($0) }
    guard base.count == 2, (1...1_000_000_000).contains(base[0]), (1...1_000_000_000).contains(base[1]) else {
      throw RetakeError(.corrupt, "its time base '\(text("time_base").prefix(40))' is invalid")
    }
    timeBase = (base[0], base[1])
    averageRate = FrameRate(text("avg_frame_rate")).flatMap { $0.framesPerSecond <= 1000 ? $0 : nil }
    range = Self.range(text("color_range"), pixelFormat: text("pix_fmt"))
    var colors: [StreamDescription.Setting] = []
    if format == .yuyv || format == .nv12 {
      if let encoding = Self.encodings[text("color_space")] {
        colors.append(.init(ColorMatrix.encodingSetting, encoding.rawValue))
      }
      if let range { colors.append(.init(ColorMatrix.rangeSetting, range.rawValue)) }
    }
    settings =
      [.init("track", title), .init("codec", codec)] + colors
      + tags.filter { $0.key.hasPrefix("K4A_") && $0.key.hasSuffix("_MODE") }.sorted { $0.key < $1.key }
      .map { .init($0.key, $0.value) }
  }

  /// ffmpeg's names of colour matrices; other names are ignored.
  private static let encodings: [String: ColorMatrix.Encoding] = [
    "smpte170m": .bt601, "bt470bg": .bt601, "bt709": .bt709, "bt2020nc": .bt2020, "smpte240m": .smpte240M,
  ]

  private static func range(_ word: String, pixelFormat: String) -> ColorMatrix.Range? {
    switch word {
    case "pc": .full
    case "tv": .limited
    default: pixelFormat.hasPrefix("yuvj") ? .full : nil
    }
  }

  private static func delivery(codec: String, pixelFormat: String) -> (PixelFormat, Delivery)? {
    if codec == "mjpeg" { return (.jpeg, .packets(.jpeg)) }
    // Raw formats that need no decoding.
    let raw: [String: (PixelFormat, RowCoding)] = [
      "rgb24": (.rgb24, .copy), "bgr24": (.rgb24, .swapRedBlue), "bgra": (.rgb24, .dropAlpha(isBlueFirst: true)),
      "bgr0": (.rgb24, .dropAlpha(isBlueFirst: true)), "rgba": (.rgb24, .dropAlpha(isBlueFirst: false)),
      "rgb0": (.rgb24, .dropAlpha(isBlueFirst: false)), "nv12": (.nv12, .copy), "yuyv422": (.yuyv, .copy),
      "uyvy422": (.yuyv, .swapPairs), "gray": (.grey8, .copy), "gray16be": (.depthMillimeters16, .bigEndian16),
      "gray16le": (.depthMillimeters16, .copy),
    ]
    if codec == "rawvideo", let (format, rows) = raw[pixelFormat] { return (format, .packets(.rows(rows))) }
    // Formats that ffmpeg decodes to, with the same samples.
    switch pixelFormat {
    case "yuv420p", "yuvj420p", "nv12": return (.nv12, .decoded(pixelFormat: "nv12", .copy))
    case "yuv422p", "yuvj422p", "yuyv422", "uyvy422": return (.yuyv, .decoded(pixelFormat: "yuyv422", .copy))
    case "gray16be", "gray16le": return (.depthMillimeters16, .decoded(pixelFormat: "gray16le", .copy))
    case "gray": return (.grey8, .decoded(pixelFormat: "gray", .copy))
    case "": return nil
    // Deeper samples than a recording holds would be truncated.
    case _
    where pixelFormat.contains(where: \.isNumber)
      && ["10", "12", "14", "16", "48", "64"].contains {
        pixelFormat.hasSuffix($0 + "le") || pixelFormat.hasSuffix($0 + "be")
      }:
      return nil
    default: return (.rgb24, .decoded(pixelFormat: "rgb24", .copy))
    }
  }

  /// Arguments with which ffmpeg writes the pictures in order to its standard output.
  func arguments(path: String) -> [String] {
    let source = MatroskaVideo.input(path) + ["-map", "0:\(index)"]
    switch delivery {
    case .packets: return source + ["-c", "copy", "-copyinkf", "-f", "rawvideo", "pipe:1"]
    case .decoded(let pixelFormat, _):
      // ffmpeg assumes limited range for raw pictures and would compress full-range samples.
      let isKept = range == .full && (layout.format == .nv12 || layout.format == .yuyv)
      let filter = isKept ? ["-vf", "scale=in_range=full:out_range=full"] : []
      return source + filter + ["-fps_mode", "passthrough", "-pix_fmt", pixelFormat, "-f", "rawvideo", "pipe:1"]
    }
  }

  /// Adds a picture at a time in the track's units. One without a valid time is kept too, at the
  /// time of the picture before.
  mutating func add(units: Int64?, byteCount: Int) {
    let time = units.flatMap { nanoseconds($0) } ?? pictures.last?.nanoseconds ?? 0
    pictures.append(Picture(nanoseconds: time, byteCount: byteCount))
  }

  /// - Returns: nil for a time that no recording can hold.
  private func nanoseconds(_ units: Int64) -> Int64? {
    let product = units.magnitude.multipliedReportingOverflow(by: UInt64(timeBase.numerator))
    guard units >= 0, !product.overflow else { return nil }
    let wide = product.partialValue.multipliedFullWidth(by: 1_000_000_000)
    guard wide.high < UInt64(timeBase.denominator) else { return nil }
    let nanoseconds = UInt64(timeBase.denominator).dividingFullWidth(wide).quotient
    return Int64(exactly: nanoseconds).flatMap { $0.isPlausibleTime ? $0 : nil }
  }
}
