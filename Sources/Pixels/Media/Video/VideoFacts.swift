import FrameModel
import Support

/// What ffprobe reports about a file's first video stream.
package struct VideoFacts: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let rate: FrameRate

  /// Makes ffmpeg and ffprobe open only files that contain their own pictures. A playlist refers to
  /// other files or the network, so its bytes do not identify its pictures.
  static let containerArguments = [
    "-protocol_whitelist", "file", "-format_whitelist",
    "mov,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,gif,apng,ivf,yuv4mpegpipe,nut,mxf,h264,hevc",
  ]
  private static let fastestRate = 1000.0
  private static let descriptionByteLimit = 1 << 20

  /// - Throws: `.childProcess` without ffprobe installed, `.unsupported` for a file without video.
  package init(path: String) throws(RetakeError) {
    let text = try Self.probe(path)
    var facts: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let halves = line.split(separator: "=", maxSplits: 1).map(String.init)
      if halves.count == 2 { facts[halves[0]] = facts[halves[0]] ?? halves[1] }
    }
    let sides = 1...FrameLayout.largestSide
    guard var width = facts["width"].flatMap({ Int($0) }), var height = facts["height"].flatMap({ Int($0) }),
      sides.contains(width), sides.contains(height)
    else { throw Self.refusal(path) }
    // ffmpeg rotates pictures upright, so a quarter turn swaps the sides.
    if let rotation = facts["rotation"].flatMap({ Int($0) }), rotation % 180 != 0 { swap(&width, &height) }
    // ffmpeg spreads pictures of varying times by the mean rate, which some containers lack.
    guard
      let rate = [facts["avg_frame_rate"], facts["r_frame_rate"]].compactMap({ $0.flatMap { FrameRate($0) } })
        // If a container has no rate, ffprobe reports its clock's ticks.
        .first(where: { $0.framesPerSecond <= Self.fastestRate })
    else { throw Self.refusal(path) }
    (self.width, self.height, self.rate) = (width, height, rate)
  }

  private static func refusal(_ path: String) -> RetakeError {
    RetakeError(
      .unsupported, "\(path) is neither a picture nor a video that ffmpeg can read.",
      hint:
        "give a PNG or JPEG picture, a video of at most \(Int(fastestRate)) frames per second (not a playlist) "
        + "or a recording"
    )
  }

  private static func probe(_ path: String) throws(RetakeError) -> String {
    let entries = "stream=width,height,avg_frame_rate,r_frame_rate:stream_side_data=rotation"
    let child = try ChildReader(
      "ffprobe",
      ["-v", "error"] + containerArguments + ["-select_streams", "v:0", "-show_entries", entries]
        + ["-of", "default=noprint_wrappers=1", "file:\(path)"],
      missing: "Video files need ffmpeg and ffprobe, which are not installed.")
    let text = try child.readAll(limit: descriptionByteLimit)
    guard child.end().isGood else { throw refusal(path) }
    return String(decoding: text, as: UTF8.self)
  }
}
