import COpenNI2
import FrameModel
import Support

/// A mode of one of a camera's sensors, and how its frames are recorded.
struct OpenNI2Mode {
  let kind: StreamKind
  let mode: OniVideoMode
  let layout: FrameLayout
  let settings: [StreamDescription.Setting]

  /// Formats that are recorded unchanged, the best first. Others need the library's own conversions.
  private static let formats:
    [(sensor: Int, number: Int32, name: String, pixels: PixelFormat, settings: [StreamDescription.Setting])] = [
      (COPENNI2_DEPTH, 100, "1 mm", .depthMillimeters16, []),
      (COPENNI2_DEPTH, 101, "100 µm", .grey16, [.init(StreamDescription.depthUnit, "100")]),
      (COPENNI2_COLOR, 200, "RGB888", .rgb24, []),
      (COPENNI2_COLOR, 205, "YUYV", .yuyv, []),
      (COPENNI2_COLOR, 202, "GRAY8", .grey8, []),
      (COPENNI2_INFRARED, 203, "GRAY16", .grey16, []),
      (COPENNI2_INFRARED, 202, "GRAY8", .grey8, []),
    ]

  /// The best mode for the options.
  /// - Parameter sensor: one of the library's numbers.
  /// - Throws: `.unsupported`, with the modes that there are, if none fits.
  static func best(_ kind: StreamKind, _ sensor: Int, of device: OpaquePointer, _ options: OpenNI2Options)
    throws(RetakeError) -> OpenNI2Mode
  {
    guard let info = openNI.oniDeviceGetSensorInfo(device, Int32(sensor))?.pointee, let list = info.modes else {
      throw RetakeError(
        .notFound, "The camera has no \(kind.rawValue) sensor.",
        hint: kind == .depth ? "add depth=none" : "add video=none")
    }
    let modes = (0..<max(0, Int(info.mode_count))).map { list[$0] }
    let preferred = formats.indices.filter { formats[$0].sensor == sensor }
    /// Lower is better: distance of sizes, then of rates up to 30, then the format.
    func rank(_ mode: OniVideoMode, _ format: Int) -> (Int, Int, Int) {
      let area = abs(Int(mode.width) * Int(mode.height) - 640 * 480)
      return (area, mode.fps > 30 ? Int(mode.fps) : 30 - Int(mode.fps), format)
    }
    let candidates = modes.flatMap { mode in
      preferred.compactMap { format -> (OniVideoMode, Int)? in
        guard formats[format].number == mode.format, options.rate.map({ $0 == mode.fps }) ?? true,
          options.size.map({ $0 == PictureSize(Int(mode.width), Int(mode.height)) }) ?? true,
          (1...FrameLayout.largestSide).contains(Int(mode.width)),
          (1...FrameLayout.largestSide).contains(Int(mode.height)), (1...1000).contains(mode.fps)
        else { return nil }
        return (mode, format)
      }
    }
    guard let (mode, place) = candidates.min(by: { rank($0.0, $0.1) < rank($1.0, $1.1) }) else {
      let known = modes.map { "\($0.width)x\($0.height) at \($0.fps) fps in format \($0.format)" }
      throw RetakeError(
        .unsupported, "The camera's \(kind.rawValue) has no such mode that can be recorded.",
        hint: "it has \(known.prefix(20).joined(separator: ", "))")
    }
    let format = formats[place]
    return OpenNI2Mode(
      kind: kind, mode: mode,
      layout: try FrameLayout(format.pixels, width: Int(mode.width), height: Int(mode.height)),
      settings: [.init("mode", "\(format.name), \(mode.width)x\(mode.height), \(mode.fps) fps")] + format.settings)
  }
}
