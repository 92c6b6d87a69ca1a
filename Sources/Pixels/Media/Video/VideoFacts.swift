import FrameModel
import Support

/// What ffprobe says of a video file's first picture stream.
package struct VideoFacts: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let rate: FrameRate

  /// What makes ffmpeg and ffprobe open a file only if all that it shows lies in it. A playlist shows what other files hold, or
  /// the network: its own bytes would say nothing of its pictures.
  static let containerArguments = [
    "-protocol_whitelist", "file", "-format_whitelist",
    "mov,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,gif,apng,ivf,yuv4mpegpipe,nut,mxf,h264,hevc",
  ]
  private static let fastestRate = 1000.0
  private static let descriptionByteLimit = 1 << 20

  /// - Throws: `.childProcess` when there is no ffprobe, `.unsupported` for a file that shows no moving picture.
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
    // ffmpeg shows what was filmed upright upright.
    if let rotation = facts["rotation"].flatMap({ Int($0) }), rotation % 180 != 0 { swap(&width, &height) }
    // The mean rate is what the pictures of a file with varying times are spread by; some containers have none.
    guard
      let rate = [facts["avg_frame_rate"], facts["r_frame_rate"]].compactMap({ $0.flatMap { FrameRate($0) } })
        // Where a container knows none, ffprobe gives the ticks of its clock.
        .first(where: { $0.framesPerSecond <= Self.fastestRate })
    else { throw Self.refusal(path) }
    (self.width, self.height, self.rate) = (width, height, rate)
  }

  private static func refusal(_ path: String) -> RetakeError {
    RetakeError(
      .unsupported, "\(path) is no picture, and no video that ffmpeg reads.",
      hint:
        "give a PNG or JPEG picture, a video of at most \(Int(fastestRate)) pictures a second, no playlist, or a recording"
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
