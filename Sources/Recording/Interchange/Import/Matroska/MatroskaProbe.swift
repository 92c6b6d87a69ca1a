import Foundation
import FrameModel
import Media
import Support

/// What ffprobe reports of a file: its tracks and the times of their pictures.
struct MatroskaProbe {
  private(set) var tracks: [MatroskaTrack] = []
  private(set) var remarks: [String] = []
  /// What is wrong with the file; nil if nothing is.
  private(set) var complaint: String?
  /// The file's tags K4A_* and creation_time.
  private(set) var settings: [StreamDescription.Setting] = []
  private(set) var serial = ""
  /// The attached calibration for registering depth to colour; empty if there is none.
  private(set) var calibration: [StreamDescription.Setting] = []

  private static let largestDescriptionByteCount = 4 << 20
  private static let largestCalibrationByteCount = 1 << 20
  /// More than 90 hours at 30 fps.
  private static let pictureLimit = 10_000_000

  init(path: String, progress: ImportProgress) throws(RetakeError) {
    try describe(path)
    guard !tracks.isEmpty else {
      throw RetakeError(
        .unsupported, "\(path) has no video track that Retake can import.",
        hint: remarks.first ?? "supported are the colour and depth tracks of an Azure Kinect")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let fileByteCount = attributes?[.size] as? Int ?? 0
    try listPackets(path, fileByteCount, progress)
    for index in tracks.indices {
      if case .decoded = tracks[index].delivery { try listDecoded(path, index, fileByteCount, progress) }
    }
    for track in tracks where track.pictures.isEmpty { remarks.append("left out \(Self.name(track)): it is empty") }
    tracks.removeAll { $0.pictures.isEmpty }
    guard !tracks.isEmpty else {
      throw RetakeError(
        .corrupt, "\(path) has no intact picture\(complaint.map { ": \($0)" } ?? ".")",
        hint: "check where the file came from")
    }
  }

  private static func name(_ track: MatroskaTrack) -> String {
    track.title.isEmpty ? "track \(track.index)" : "track \(track.index), \(track.title)"
  }

  private mutating func describe(_ path: String) throws(RetakeError) {
    let child = try MatroskaVideo.child(
      "ffprobe",
      MatroskaVideo.input(path) + [
        "-show_entries",
        "stream=index,codec_type,codec_name,width,height,pix_fmt,color_range,color_space,time_base,avg_frame_rate"
          + ":stream_tags:format_tags",
        "-of", "json",
      ])
    let bytes = try child.readAll(limit: Self.largestDescriptionByteCount)
    do throws(RetakeError) {
      _ = try child.finish()
    } catch {
      throw RetakeError(.corrupt, "\(path) cannot be read: \(error.message)", hint: "check where the file came from")
    }
    guard let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
      let streams = object["streams"] as? [[String: Any]]
    else { throw RetakeError(.childProcess, "ffprobe returned an unexpected description of \(path).") }
    for stream in streams {
      do throws(RetakeError) {
        tracks.append(try MatroskaTrack(stream))
      } catch {
        let title = (stream["tags"] as? [String: String])?["title"] ?? ""
        if stream["codec_type"] as? String == "attachment" {
          try readCalibration(path, stream)
          continue
        }
        remarks.append(
          "left out track \(stream["index"] as? Int ?? 0)\(title.isEmpty ? "" : ", \(title)"): \(error.message)")
      }
    }
    // Colour first, so that it is the master.
    tracks = StreamKind.allCases.flatMap { kind in tracks.filter { $0.kind == kind } }
    let tags = (object["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
    serial = tags["K4A_DEVICE_SERIAL_NUMBER"] ?? ""
    settings = tags.filter { $0.key.hasPrefix("K4A_") || $0.key == "creation_time" }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { .init($0.key, $0.value) }
  }

  private mutating func readCalibration(_ path: String, _ stream: [String: Any]) throws(RetakeError) {
    let tags = stream["tags"] as? [String: String] ?? [:]
    guard let index = stream["index"] as? Int, tags["K4A_CALIBRATION_FILE"] != nil else { return }
    // ffmpeg writes attachments when it opens the file, but also requires an output.
    let child = try MatroskaVideo.child(
      "ffmpeg",
      ["-nostdin", "-dump_attachment:\(index)", "pipe:1"] + MatroskaVideo.input(path) + [
        "-t", "0", "-map", "0:v:0", "-c", "copy", "-f", "null", "/dev/null",
      ])
    let bytes = try child.readAll(limit: Self.largestCalibrationByteCount)
    // Some recorders end the text with a zero byte.
    guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self), !text.isEmpty else {
      remarks.append("left out the calibration: it is not valid text")
      return
    }
    calibration = [.init("K4A_CALIBRATION", text)]
  }

  /// Lists the packets of all tracks that are not decoded, in file order.
  private mutating func listPackets(_ path: String, _ fileByteCount: Int, _ progress: ImportProgress)
    throws(RetakeError)
  {
    var positions: [Int: Int] = [:]
    for (position, track) in tracks.enumerated() {
      if case .packets = track.delivery { positions[track.index] = position }
    }
    let child = try MatroskaVideo.child(
      "ffprobe",
      MatroskaVideo.input(path) + [
        "-select_streams", "v", "-show_entries", "packet=stream_index,pts,size,pos", "-of", "csv=p=0",
      ])
    var doneByteCount = 0
    var count = 0
    try child.readLines { line throws(RetakeError) in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
      guard fields.count >= 4, let index = fields[0], let size = fields[2] else { return }
      if let place = fields[3] { doneByteCount = max(doneByteCount, Int(place)) }
      guard progress(min(doneByteCount, fileByteCount), fileByteCount) else {
        throw .importStopped(path)
      }
      guard let position = positions[Int(index)] else { return }
      count += 1
      guard count <= Self.pictureLimit else {
        throw RetakeError(
          .unsupported, "\(path) has more than \(Self.pictureLimit) pictures.", hint: "split it into shorter files")
      }
      tracks[position].add(units: fields[1], byteCount: Int(max(0, size)))
    }
    complaint = try child.finish()
  }

  /// Lists the times of a track's decoded pictures, which may be in another order than packets.
  private mutating func listDecoded(_ path: String, _ position: Int, _ fileByteCount: Int, _ progress: ImportProgress)
    throws(RetakeError)
  {
    let child = try MatroskaVideo.child(
      "ffprobe",
      MatroskaVideo.input(path) + [
        "-select_streams", "\(tracks[position].index)", "-show_entries", "frame=best_effort_timestamp", "-of",
        "csv=p=0",
      ])
    try child.readLines { line throws(RetakeError) in
      // ffprobe may print side data on separate lines, which are empty here.
      guard progress(fileByteCount, fileByteCount) else { throw .importStopped(path) }
      guard let field = line.split(separator: ",").first, tracks[position].pictures.count < Self.pictureLimit else {
        return
      }
      tracks[position].add(units: Int64(field), byteCount: tracks[position].layout.byteCount)
    }
    let found = try child.finish()
    complaint = complaint ?? found
  }
}
