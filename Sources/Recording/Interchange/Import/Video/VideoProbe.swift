import Foundation
import FrameModel
import Media
import Support

/// What ffprobe reports of a file: its tracks and the times of their pictures.
struct VideoProbe {
  let file: VideoFile
  private(set) var tracks: [VideoTrack] = []
  private(set) var remarks: [String] = []
  /// What is wrong with the file; nil if nothing is.
  private(set) var complaint: String?
  /// The file's tags K4A_* and creation_time.
  private(set) var settings: [StreamDescription.Setting] = []
  private(set) var serial = ""
  /// The attached calibration for registering depth to colour; empty if there is none.
  private(set) var calibration: [StreamDescription.Setting] = []

  /// The file has packets of messages.
  private let isOfMessages: Bool
  private static let largestDescriptionByteCount = 4 << 20
  private static let largestCalibrationByteCount = 1 << 20
  /// More than 90 hours at 30 fps.
  private static let pictureLimit = 10_000_000

  /// - Parameters:
  ///   - unit: of depth, given by the user.
  ///   - kinds: what is wanted of the file; other tracks are left out.
  init(
    _ file: VideoFile, unit: DepthUnit?, kinds: [StreamKind] = StreamKind.allCases, isOfMessages: Bool = false,
    progress: ImportProgress
  ) throws(RetakeError) {
    self.isOfMessages = isOfMessages
    self.file = file
    let path = file.path
    try describe(unit)
    for track in tracks where !kinds.contains(track.kind) {
      remarks.append("left out \(Self.name(track)): it is \(track.kind.rawValue)")
    }
    tracks.removeAll { !kinds.contains($0.kind) }
    guard !tracks.isEmpty else {
      throw RetakeError(
        .unsupported, "\(path) has no \(kinds == [.depth] ? "depth" : "video") track that Retake can import.",
        hint: remarks.first
          ?? (kinds == [.depth] ? "depth is grey of 10 to 16 bits" : "it should have colour, or grey depth of 16 bits"))
    }
    guard tracks.allSatisfy({ $0.kind != .depth || $0.unit != nil }) else { throw .depthUnitMissing(path) }
    remarks += tracks.flatMap { track in track.remarks.map { "\(Self.name(track)): \($0)" } }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let fileByteCount = attributes?[.size] as? Int ?? 0
    try listPackets(path, fileByteCount, progress)
    // ffmpeg does not report that an AVI file is cut.
    if let stated = try file.statedByteCount(), stated > fileByteCount {
      complaint = complaint ?? "it has \(fileByteCount) bytes, but its header states \(stated)"
    }
    for index in tracks.indices {
      guard case .decoded = tracks[index].delivery else { continue }
      let found = try listDecoded(path, index, fileByteCount, progress)
      guard found != nil else { continue }
      // Again, to find the pictures that are damaged.
      complaint = complaint ?? found
      tracks[index].removePictures()
      _ = try listDecoded(path, index, fileByteCount, progress, isLogging: true)
    }
    for track in tracks where track.pictures.isEmpty {
      remarks.append("left out \(Self.name(track)): there is no picture of it")
    }
    tracks.removeAll { $0.pictures.isEmpty }
    guard !tracks.isEmpty else {
      throw RetakeError(
        .corrupt, "\(path) has no intact picture\(complaint.map { ": \($0)" } ?? ".")",
        hint: "check where the file came from")
    }
  }

  private static func name(_ track: VideoTrack) -> String {
    track.title.isEmpty ? "track \(track.index)" : "track \(track.index), \(track.title)"
  }

  private static let entries =
    "stream=index,codec_type,codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,time_base,"
    + "avg_frame_rate,nb_frames:stream_tags:stream_disposition=attached_pic:stream_side_data=rotation:format_tags"

  private mutating func describe(_ unit: DepthUnit?) throws(RetakeError) {
    let path = file.path
    let child = try VideoFile.child("ffprobe", file.input() + ["-show_entries", Self.entries, "-of", "json"])
    let bytes = try child.readAll(limit: Self.largestDescriptionByteCount)
    do throws(RetakeError) {
      _ = try child.finish()
    } catch {
      throw RetakeError(.corrupt, "\(path) cannot be read: \(error.message)", hint: "check where the file came from")
    }
    guard let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
      let streams = object["streams"] as? [[String: Any]]
    else { throw RetakeError(.childProcess, "ffprobe returned an unexpected description of \(path).") }
    let tags = (object["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
    // What an Azure Kinect's clock had counted at the file's time 0.
    let start = tags["K4A_START_OFFSET_NS"].flatMap { Int64($0) }.flatMap { $0.isPlausibleTime ? $0 : nil } ?? 0
    for stream in streams {
      do throws(RetakeError) {
        tracks.append(try VideoTrack(stream, unit: unit, startNanoseconds: start))
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
    serial = tags["K4A_DEVICE_SERIAL_NUMBER"] ?? ""
    settings = tags.filter { $0.key.hasPrefix("K4A_") || $0.key == "creation_time" }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { .init($0.key, $0.value) }
  }

  private mutating func readCalibration(_ path: String, _ stream: [String: Any]) throws(RetakeError) {
    let tags = stream["tags"] as? [String: String] ?? [:]
    guard let index = stream["index"] as? Int, tags["K4A_CALIBRATION_FILE"] != nil else { return }
    // ffmpeg writes attachments when it opens the file, but also requires an output.
    let child = try VideoFile.child(
      "ffmpeg",
      ["-nostdin", "-dump_attachment:\(index)", "pipe:1"] + file.input() + [
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
    guard !positions.isEmpty else { return }
    let child = try VideoFile.child(
      "ffprobe",
      file.input() + [
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
      guard count <= Self.pictureLimit else { throw Self.tooMany(path) }
      tracks[position].add(units: fields[1], byteCount: Int(max(0, size)))
    }
    complaint = try child.finish()
  }

  /// Lists the times of a track's decoded pictures, which may be in another order than packets.
  /// - Parameter isLogging: attributes the decoder's complaints to pictures, on one thread. Those from
  ///   a damaged picture up to the next key frame are suspect.
  /// - Returns: the last complaint; nil for none.
  private mutating func listDecoded(
    _ path: String, _ position: Int, _ fileByteCount: Int, _ progress: ImportProgress, isLogging: Bool = false
  ) throws(RetakeError) -> String? {
    // A guess of the time would not be the number of a message.
    let time = isOfMessages ? "pts" : "best_effort_timestamp"
    let fields = "frame=key_frame,pkt_pos,\(time),width,height"
    let child = try VideoFile.child(
      "ffprobe",
      file.input(isLogging ? ["-threads", "1", "-show_log", "16"] : []) + [
        "-select_streams", "\(tracks[position].index)", "-show_entries", fields + (isLogging ? ":log=level" : ""),
        "-of", "compact",
      ])
    var isDamaged = false
    var doneByteCount = 0
    try child.readLines { line throws(RetakeError) in
      let words = line.split(separator: "|")
      func number(_ name: String) -> Int64? {
        words.first { $0.hasPrefix(name + "=") }.flatMap { Int64($0.dropFirst(name.count + 1)) }
      }
      if let place = number("pkt_pos") { doneByteCount = max(doneByteCount, Int(place)) }
      guard progress(min(doneByteCount, fileByteCount), fileByteCount) else { throw .importStopped(path) }
      // ffprobe may print side data on separate lines, which are empty here.
      guard line.hasPrefix("frame|") else { return }
      guard tracks[position].pictures.count < Self.pictureLimit else { throw Self.tooMany(path) }
      if number("key_frame") == 1 { isDamaged = false }
      if words.contains(where: { $0.hasPrefix("log") }) { isDamaged = true }
      let hasSize = tracks[position].hasSize(
        width: Int(number("width") ?? 0), height: Int(number("height") ?? 0))
      tracks[position].add(
        units: number(time), byteCount: tracks[position].decodedByteCount,
        isSuspect: isDamaged || !hasSize, isKey: number("key_frame") == 1, keepsPace: !isOfMessages)
    }
    return try child.finish()
  }

  private static func tooMany(_ path: String) -> RetakeError {
    RetakeError(.unsupported, "\(path) has more than \(pictureLimit) pictures.", hint: "split it into shorter files")
  }
}

extension RetakeError {
  static func depthUnitMissing(_ path: String) -> RetakeError {
    RetakeError(
      .usage, "\(path) does not state the unit of its depth.",
      hint: "set it with --scale: 1mm for millimetres, 5000 for 5000 units per metre")
  }
}
