import FrameModel
import Media
import Support

/// Video tracks of a Matroska file, as an Azure Kinect's recorder writes it, read by ffmpeg as
/// child processes. A track's time stamps, in nanoseconds, are both device ticks and arrival times.
enum MatroskaVideo {
  static let magic: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  /// Limit on a single allocation of ffmpeg, against hostile files.
  private static let largestAllocationByteCount = 1 << 30

  /// - Throws: `.childProcess` if the program is not installed.
  static func child(_ name: String, _ arguments: [String]) throws(RetakeError) -> ChildReader {
    try ChildReader(
      name, arguments, missing: "Reading Matroska files needs \(name), which is not installed.")
  }

  /// Makes ffmpeg and ffprobe read this file as Matroska and open nothing else.
  static func input(_ path: String) -> [String] {
    [
      "-v", "error", "-max_alloc", "\(largestAllocationByteCount)", "-protocol_whitelist", "file", "-f", "matroska",
      "-i", "file:\(path)",
    ]
  }

  static func open(_ path: String, progress: ImportProgress) throws(RetakeError) -> ImportSource {
    let probe = try MatroskaProbe(path: path, progress: progress)
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let calibration = probe.calibration.first.flatMap { AzureCalibration($0.value) }
    var streams: [StreamDescription] = []
    for track in probe.tracks {
      var rate = NominalRate()
      for picture in track.pictures { rate.note(picture.nanoseconds) }
      try streams.append(
        track.kind, track.layout, rate.rate(fallback: track.averageRate),
        device: probe.serial.isEmpty ? "mkv:\(fileName)" : "k4a:\(probe.serial)",
        track.settings + probe.settings + (calibration?.settings(track.kind, track.layout) ?? [])
          + (track.kind == .depth ? probe.calibration : []))
    }
    let delivery = MatroskaDelivery(path: path, tracks: probe.tracks, streams: streams, complaint: probe.complaint)
    let summary = "Matroska file \(path) with \(streams.count) video tracks"
    let device = ImportedDevice(summary, streams) { sink, isStopping in delivery.run(to: sink, isStopping) }
    // Times count from the device's start, which the file states to the second at best.
    return ImportSource(
      device: device, frameCount: probe.tracks.reduce(0) { $0 + $1.pictures.count }, wallClockNanoseconds: 0,
      remarks: probe.remarks)
  }
}
