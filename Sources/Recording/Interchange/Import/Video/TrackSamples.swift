import FrameModel

/// How the samples of a video codec become those of a recording.
struct TrackSamples {
  let format: PixelFormat
  let delivery: VideoTrack.Delivery
  private(set) var remarks: [String] = []

  /// - Parameters:
  ///   - pixelFormat: ffmpeg's name.
  ///   - isTurned: pictures are turned, so packets cannot be kept as they are.
  ///   - isOdd: rows have an odd number of pixels.
  init?(codec: String, pixelFormat: String, isTurned: Bool, isOdd: Bool) {
    // Raw tracks are decoded too: ffmpeg knows which have padded rows, are upside down or are cut by an edit list.
    if codec == "mjpeg", !isTurned {
      (format, delivery) = (.jpeg, .packets)
      return
    }
    let name = Self.withoutByteOrder(pixelFormat)
    switch name {
    case "": return nil
    // Formats that ffmpeg decodes to, with the same samples.
    case "yuv420p", "yuvj420p", "nv12": (format, delivery) = (.nv12, .decoded(pixelFormat: "nv12", .copy))
    case "yuv422p", "yuvj422p", "yuyv422", "uyvy422":
      // Turned, chroma would be subsampled the other way.
      (format, delivery) =
        isTurned ? (.rgb24, .decoded(pixelFormat: "rgb24", .copy)) : (.yuyv, .decoded(pixelFormat: "yuyv422", .copy))
    case "gray10", "gray12", "gray14", "gray16":
      (format, delivery) = (.depthMillimeters16, .decoded(pixelFormat: name + "le", .copy))
    case "gray": (format, delivery) = (.grey8, .decoded(pixelFormat: "gray", .copy))
    case "yuv420p10", "p010":
      // Of pictures of odd width, swscale 5.1 leaves the last column of P010's chroma unset.
      format = .nv12
      delivery = isOdd ? .decoded(pixelFormat: "yuv420p10le", .lowTenBits) : .decoded(pixelFormat: "p010le", .highByte)
      remarks = ["its samples of 10 bits are rounded to 8"]
    default:
      (format, delivery) = (.rgb24, .decoded(pixelFormat: "rgb24", .copy))
      // Only samples of more than a byte have a byte order.
      if name != pixelFormat { remarks = ["its samples (\(name)) are converted to RGB of 8 bits"] }
    }
  }

  private static func withoutByteOrder(_ name: String) -> String {
    ["le", "be"].contains { name.hasSuffix($0) } ? String(name.dropLast(2)) : name
  }
}

/// How far a player is to turn a video's pictures.
enum Rotation: Hashable, Sendable {
  case none
  /// By 90 or 270 degrees.
  case quarter
  case half
  /// By another angle, which is not applied.
  case other(degrees: Int)

  /// - Parameter stream: as ffprobe describes it in JSON.
  init(_ stream: [String: Any]) {
    let facts = stream["side_data_list"] as? [[String: Any]] ?? []
    let degrees = facts.lazy.compactMap { $0["rotation"] as? Int }.first ?? 0
    self =
      switch degrees {
      case 0, 360, -360: .none
      case 90, -90, 270, -270: .quarter
      case 180, -180: .half
      default: .other(degrees: degrees)
      }
  }

  var isApplied: Bool {
    if case .other = self { return false }
    return true
  }

  var remarks: [String] {
    guard case .other(let degrees) = self else { return [] }
    return ["its rotation of \(degrees) degrees is not applied: only quarter turns are"]
  }
}
