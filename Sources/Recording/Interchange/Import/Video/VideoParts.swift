import FrameModel
import Kernels
import Support

/// The streams of one import, from one or two sources.
struct VideoParts {
  private(set) var lanes: [any PictureLane] = []
  private(set) var streams: [StreamDescription] = []
  private(set) var remarks: [String] = []

  mutating func add(_ probe: VideoProbe, offset: Int64) throws(RetakeError) {
    let calibration = probe.calibration.first.flatMap { AzureCalibration($0.value) }
    for track in probe.tracks {
      var rate = NominalRate()
      for picture in track.pictures { rate.note(picture.nanoseconds) }
      try streams.append(
        track.kind, track.layout, rate.rate(fallback: track.averageRate),
        device: probe.serial.isEmpty ? "\(probe.file.prefix):\(probe.file.name)" : "k4a:\(probe.serial)",
        track.settings + probe.settings + (calibration?.settings(track.kind, track.layout) ?? [])
          + (track.kind == .depth ? probe.calibration : []))
      lanes.append(VideoLane(probe.file, track, complaint: probe.complaint, offsetNanoseconds: offset))
    }
    remarks += probe.remarks
  }

  /// Depth pictures beside a video.
  mutating func add(_ files: PictureFiles, rate: FrameRate?) throws(RetakeError) {
    let nominal = if let rate { rate } else { try PictureFolder.nominalRate(files, streams[0].rate) }
    try streams.append(
      .depth, files.coding.layout, nominal, device: streams[0].device, files.unit?.settings ?? [])
    lanes.append(files)
  }

  /// - Parameter path: a file for `IntrinsicsFile`.
  mutating func setIntrinsics(from path: String) throws(RetakeError) {
    for index in streams.indices {
      let intrinsics = try IntrinsicsFile.read(path, for: streams[index].layout)
      streams[index].settings.removeAll { $0.name == CameraIntrinsics.settingName }
      streams[index].settings.append(intrinsics.setting)
    }
  }

  /// - Throws: `.usage` if depth, the last stream, has no time in common with colour.
  func checkOverlap(_ video: String, _ depth: String) throws(RetakeError) {
    guard let color = Self.span(lanes[0]), let other = lanes.last.flatMap(Self.span),
      color.upperBound < other.lowerBound || other.upperBound < color.lowerBound
    else { return }
    func text(_ span: ClosedRange<Int64>) -> String {
      "\(span.lowerBound / 1_000_000) to \(span.upperBound / 1_000_000) ms"
    }
    throw RetakeError(
      .usage, "\(video) lasts from \(text(color)) and \(depth) from \(text(other)): they have no time in common.",
      hint: "move depth with --depth-offset")
  }

  private static func span(_ lane: any PictureLane) -> ClosedRange<Int64>? {
    guard let low = lane.times.min(), let high = lane.times.max() else { return nil }
    return low...high
  }
}
