import CaptureDevices
import FrameModel
import Glibc
import Support

/// Imports the tracks of a video file, alone or with depth from elsewhere. A track's time stamps, in
/// nanoseconds, are both device ticks and arrival times.
enum VideoImport {
  private static let year2000Nanoseconds: Int64 = 946_684_800_000_000_000

  static func open(_ file: VideoFile, _ options: PictureOptions, progress: ImportProgress) throws(RetakeError)
    -> ImportSource
  {
    let path = file.path
    try options.check(
      only: options.depth == nil
        ? ["--scale", "--intrinsics", "--depth"] : ["--scale", "--intrinsics", "--depth", "--depth-offset", "--fps"],
      of: path, "a video")
    let kinds: [StreamKind] = options.depth == nil ? StreamKind.allCases : [.color, .infrared]
    let probe = try VideoProbe(file, unit: options.scale, kinds: kinds, progress: progress)
    if options.depth == nil, options.scale != nil, !probe.tracks.contains(where: { $0.kind == .depth }) {
      throw RetakeError(.usage, "--scale is for depth, and \(path) has none.", hint: "leave it out, or give --depth")
    }
    var parts = VideoParts()
    try parts.add(probe, offset: 0)
    if let depth = options.depth { try addDepth(depth, of: path, options, to: &parts, progress) }
    if let path = options.intrinsics { try parts.setIntrinsics(from: path) }
    let delivery = PictureDelivery(lanes: parts.lanes, streams: parts.streams)
    let earliest = delivery.earliest
    return ImportSource(
      device: delivery.device("video \(path) with \(parts.streams.count) streams"), frameCount: delivery.frameCount,
      // Most files count from their start, but some recorders write the time since 1970.
      wallClockNanoseconds: earliest >= year2000Nanoseconds ? earliest : 0,
      remarks: parts.remarks + delivery.timeRemarks)
  }

  /// Depth from a second video, a folder of pictures or a pattern.
  private static func addDepth(
    _ depth: String, of video: String, _ options: PictureOptions, to parts: inout VideoParts, _ progress: ImportProgress
  ) throws(RetakeError) {
    let offset = options.depthOffsetNanoseconds ?? 0
    var status = stat()
    let exists = stat(depth, &status) == 0
    guard exists && status.st_mode & S_IFMT != S_IFDIR else {
      guard exists || PicturePattern.isPattern(depth) else { throw FileBytes.failure("read", depth) }
      let pattern = try PicturePattern(exists ? "\(depth)/*.png" : depth, in: ".", option: "--depth")
      guard let unit = options.scale else { throw .depthUnitMissing(depth) }
      let timed = try timed(pattern.pictures(), pattern, video, options, parts.lanes[0].times)
      let files = try PictureFiles(timed.map { PictureFolder.moved($0, by: offset) }, depth: unit)
      try parts.add(files, rate: options.rate)
      return try parts.checkOverlap(video, depth)
    }
    guard options.rate == nil else {
      throw RetakeError(
        .usage, "--fps is for pictures without times, but \(depth) is a video.", hint: "leave --fps out")
    }
    let probe = try VideoProbe(VideoFile(path: depth), unit: options.scale, kinds: [.depth], progress: progress)
    guard probe.tracks.count == 1 else {
      throw RetakeError(
        .unsupported, "\(depth) has \(probe.tracks.count) depth tracks, but only one can be paired.",
        hint: "extract the one you need with 'ffmpeg -i FILE -map 0:TRACK -c copy depth.mkv'")
    }
    try parts.add(probe, offset: offset)
    try parts.checkOverlap(video, depth)
  }

  /// Without a rate, as many pictures as colour frames have the times of those.
  private static func timed(
    _ pictures: [PicturePattern.Picture], _ pattern: PicturePattern, _ video: String, _ options: PictureOptions,
    _ colorTimes: [Int64]
  ) throws(RetakeError) -> [TimedPicture] {
    if let rate = options.rate { return try PictureTimes([pictures], rate: rate).timed(pictures) }
    guard pictures.count == colorTimes.count else {
      throw RetakeError(
        .usage,
        "\(video) has \(colorTimes.count) frames, but there are \(pictures.count) pictures \(pattern.description), so "
          + "their times are unknown.",
        hint: "give their rate with --fps")
    }
    return zip(pictures, colorTimes).map { TimedPicture(number: $0.number, nanoseconds: $1, path: $0.path) }
  }
}
