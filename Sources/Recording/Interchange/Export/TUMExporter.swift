import FrameModel
import Media
import RecordingStore
import Support

/// Exports a recording in the layout of TUM's RGB-D benchmark. Folders rgb and depth hold pictures
/// named by time; the lists are rgb.txt, depth.txt and associations.txt. A simulated camera's alpha
/// becomes mask/ and mask.txt.
///
/// The benchmark's pixels of rgb/ and depth/ correspond. A Kinect's depth is therefore registered
/// to its colour, if the recording has the calibration.
package final class TUMExporter: RecordingExporter {
  /// The benchmark's unit, a fifth of a millimetre.
  package static let defaultUnitsPerMeter = 5000
  package static let unitsPerMeterRange = 1...1_000_000

  private let frames: ExportFrames
  private let folder: ExportFolder
  private let lists: [Int: List]
  private let color: Int?
  private let depth: Int?
  private let depthScale: DepthScale

  private struct List {
    let name: String
    let file: LineFile
  }

  /// - Throws: `.unsupported` for a recording with neither colour nor depth.
  package init(_ recording: Recording, to path: String, part: FrameSelection?, unitsPerMeter: Int) throws(RetakeError) {
    color = recording.firstStream(.color)
    depth = recording.firstStream(.depth)
    guard color != nil || depth != nil else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has neither colour nor depth to export.",
        hint: "'retake info' lists its streams")
    }
    let wanted = [("rgb", color), ("depth", depth), ("mask", recording.firstStream(.alpha))]
    let streams = wanted.compactMap(\.1)
    frames = try ExportFrames(
      recording, streams: streams, part: part, color: color, keepsCounts: true, needsDistinctTimes: true)
    try frames.leaveOutParts()
    depthScale = DepthScale(unitsPerMeter: unitsPerMeter)
    folder = try ExportFolder(path: path)
    var lists: [Int: List] = [:]
    for (name, stream) in wanted {
      guard let stream else { continue }
      try folder.makeFolder(name)
      let file = try LineFile("\(name).txt", in: folder)
      let isInUnits = name == "depth" && frames.isInMillimeters(stream)
      let title =
        isInUnits
        ? "depth maps, \(unitsPerMeter) units per metre" : name == "depth" ? "depth maps, as sent" : "pictures"
      try file.append("# \(title)")
      try file.append("# timestamp filename")
      lists[stream] = List(name: name, file: file)
    }
    self.lists = lists
    let described = zip(["color", "depth"], [color, depth]).compactMap { name, stream in
      stream.map { (name, recording.streams[$0]) }
    }
    if let text = CalibrationText.yaml(described, isRegistered: depth.map(frames.isRegistered) ?? false) {
      try folder.write(Array(text.utf8), to: "calibration.yaml")
    }
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    var isWanted = true
    var end = Int64.min
    while isWanted, let (frame, microseconds) = try frames.next() {
      try export(frame, microseconds)
      end = max(end, microseconds)
      isWanted = progress(frames.metCount)
    }
    for list in lists.values { try list.file.flush() }
    try writeAssociations(until: isWanted ? .max : end)
    try folder.finish()
    return frames.report
  }

  private func export(_ frame: Frame, _ microseconds: Int64) throws(RetakeError) {
    guard let list = lists[frame.stream], let file = try picture(frame) else { return }
    let name = fileName(list.name, frame.layout.format, microseconds)
    try folder.write(file, to: name)
    try list.file.append("\(ExportClock.text(microseconds: microseconds)) \(name)")
  }

  private func fileName(_ folder: String, _ format: PixelFormat, _ microseconds: Int64) -> String {
    "\(folder)/\(ExportClock.text(microseconds: microseconds)).\(format == .jpeg ? "jpg" : "png")"
  }

  /// - Returns: a picture file; nil for a frame that had to be left out.
  private func picture(_ frame: Frame) throws(RetakeError) -> [UInt8]? {
    let (width, height) = (frame.layout.width, frame.layout.height)
    if var samples = frames.millimeters(frame) {
      frames.report.farSampleCount += depthScale.apply(to: &samples)
      return try samples.withRawBytes { bytes throws(RetakeError) in
        try PNGEncoder.encode(bytes, width: width, height: height, as: .grey16)
      }
    }
    switch frame.layout.format {
    case .jpeg:
      guard ExportFrames.isReadableJPEG(frame) else {
        frames.leaveOut(frame)
        return nil
      }
      return withExtendedLifetime(frame) { Array(frame.bytes) }
    case .grey16:
      return try PNGEncoder.encode(frame.bytes, width: width, height: height, as: .grey16)
    case .grey8 where frame.stream != color:
      return try PNGEncoder.encode(frame.bytes, width: width, height: height, as: .grey8)
    default:
      return try frames.rgb(frame).withRawBytes { bytes throws(RetakeError) in
        try PNGEncoder.encode(bytes, width: width, height: height, as: .rgb8)
      }
    }
  }

  /// Lists the recording's own pairs, so that users need not match times.
  private func writeAssociations(until end: Int64) throws(RetakeError) {
    guard let color, let depth else { return }
    let recording = frames.recording
    let file = try LineFile("associations.txt", in: folder)
    let count = try recording.frameSetCount()
    for start in stride(from: 0, to: count, by: 256) {
      for entry in try recording.frameSets(start..<min(count, start + 256)) {
        let rows = [entry.master] + entry.partners
        guard let first = rows.first(where: { $0.stream == color }), frames.isExported(first),
          let second = rows.first(where: { $0.stream == depth }), frames.isExported(second)
        else { continue }
        let words = [(first, "rgb"), (second, "depth")].map { row, name in
          let time = frames.clock.microseconds(row.timestamps.presentation)
          let name = fileName(name, recording.streams[row.stream].layout.format, time)
          return (time: time, text: "\(ExportClock.text(microseconds: time)) \(name)")
        }
        guard words.allSatisfy({ $0.time <= end }) else { continue }
        try file.append(words.map(\.text).joined(separator: " "))
        frames.report.pairCount += 1
      }
    }
    try file.flush()
  }
}

/// Converts millimetres to a data set's units.
struct DepthScale {
  /// Units for each number of millimetres; 0 if they exceed 16 bits.
  private let units: [UInt16]
  private let farthest: Int

  init(unitsPerMeter: Int) {
    // Rounded half up. From 1000 units per metre on, readers get the exact millimetres back.
    let exact = (0...65_535).map { ($0 * unitsPerMeter + 500) / 1000 }
    units = exact.map { $0 <= 65_535 ? UInt16($0) : 0 }
    farthest = exact.lastIndex { $0 <= 65_535 } ?? 0
  }

  /// - Returns: the number of samples that were too far and became holes.
  func apply(to samples: inout [UInt16]) -> Int {
    var farCount = 0
    units.withUnsafeBufferPointer { units in
      samples.withUnsafeMutableBufferPointer { samples in
        for i in samples.indices {
          if Int(samples[i]) > farthest { farCount += 1 }
          samples[i] = units[Int(samples[i])]
        }
      }
    }
    return farCount
  }
}
