/// How a video file is made.
package enum VideoEncoding: Sendable {
  /// FFV1 in Matroska: every sample comes back.
  case lossless
  /// H.264 in MP4, which everything plays.
  case h264
  /// To look at, quickly made; the file's ending picks the container.
  case quick

  func arguments(_ video: RawVideo) -> [String] {
    let codec =
      switch self {
      case .lossless: lossless(video) + ["-f", "matroska"]
      case .h264: Self.fullyPlayable + ["-c:v", "libx264", "-crf", "18", "-f", "mp4"]
      case .quick: Self.fullyPlayable + ["-preset", "veryfast"]
      }
    // Equal pictures make equal files: no dates, no random numbers, no versions.
    return ["-an"] + codec + ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
  }

  private func lossless(_ video: RawVideo) -> [String] {
    // FFV1 has no packed RGB; in BGR0 all samples are the same.
    let format = video.samples == .rgb8 ? "bgr0" : video.samples.rawValue
    // Every picture stands for itself, so that players seek to any. A picture too small for slices has none.
    let slices =
      min(video.width, video.height) < 16
      ? ["-level", "1"] : ["-level", "3", "-slices", "4", "-slicecrc", "1"]
    return ["-c:v", "ffv1", "-g", "1"] + slices + ["-pix_fmt", format]
  }

  /// Players want even sides, 4:2:0 and to know which colours are meant. x264's files depend on the number of its
  /// threads, so that is fixed; swscale's arithmetic on the processor, unless it is asked to be exact.
  private static let fullyPlayable = [
    "-vf",
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,"
      + "scale=out_color_matrix=bt601:out_range=tv:flags=bicubic+accurate_rnd+bitexact",
    "-pix_fmt", "yuv420p", "-colorspace", "smpte170m", "-color_range", "tv", "-threads", "4", "-movflags",
    "+faststart",
  ]
}
