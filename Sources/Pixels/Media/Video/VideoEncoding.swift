package enum VideoEncoding: Sendable {
  /// FFV1 in Matroska: lossless.
  case lossless
  /// H.264 in MP4, for all players.
  case h264
  /// A fast preview; the file's extension picks the container.
  case quick

  func arguments(_ video: RawVideo) -> [String] {
    let codec =
      switch self {
      case .lossless: lossless(video) + ["-f", "matroska"]
      case .h264: Self.fullyPlayable + ["-c:v", "libx264", "-crf", "18", "-f", "mp4"]
      case .quick: Self.fullyPlayable + ["-preset", "veryfast"]
      }
    // Equal pictures give equal files: no dates, random numbers or versions.
    return ["-an"] + codec + ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
  }

  private func lossless(_ video: RawVideo) -> [String] {
    // FFV1 has no packed RGB; BGR0 keeps all samples.
    let format = video.samples == .rgb8 ? "bgr0" : video.pixelFormat
    let colors = video.samples == .rgb8 ? Self.tags(matrix: "gbr", range: "pc") : "setparams=range=pc"
    // Only key frames, so that players can seek anywhere. Very small pictures cannot have slices.
    let slices =
      min(video.width, video.height) < 16
      ? ["-level", "1"] : ["-level", "3", "-slices", "4", "-slicecrc", "1"]
    return ["-vf", colors, "-c:v", "ffv1", "-g", "1"] + slices + ["-pix_fmt", format]
  }

  /// Cameras and their JPEGs have sRGB's primaries and curve, with BT.601's matrix. Samples of depth and
  /// mattes have a range, and are no colours.
  private static func tags(matrix: String, range: String) -> String {
    "setparams=colorspace=\(matrix):range=\(range):color_primaries=bt709:color_trc=iec61966-2-1"
  }

  /// Players need even sides, 4:2:0 and declared colours. x264's output depends on its thread
  /// count, which is fixed; swscale's on the processor, unless it is exact.
  private static let fullyPlayable = [
    "-vf",
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,"
      + "scale=out_color_matrix=bt601:out_range=tv:flags=bicubic+accurate_rnd+bitexact,format=yuv420p,"
      + tags(matrix: "smpte170m", range: "tv"),
    "-pix_fmt", "yuv420p", "-colorspace", "smpte170m", "-color_range", "tv", "-color_primaries", "bt709",
    "-color_trc", "iec61966-2-1", "-threads", "4", "-movflags",
    "+faststart",
  ]
}
