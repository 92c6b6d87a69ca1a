import FrameModel
import Glibc
import Parameters
import Support

/// A folder of images in the layout of the TUM RGB-D data sets, delivered at the recorder's pace.
///
/// Arrival times are the data set's timestamps, counted from the earliest. So recording a data set
/// twice gives identical frames and times.
package final class TUMDataSet: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive = false
  /// Files and subfolders that no delivered image comes from.
  package let leftOut: [String]
  /// The earliest timestamp, where it is of a clock and not of a count from 0.
  package var wallClockNanoseconds: Int64 {
    let earliest = steps.first?.microseconds ?? 0
    return earliest >= Self.year2000Microseconds ? earliest * 1000 : 0
  }
  /// Frames of all streams together.
  package var frameCount: Int { steps.count }

  private struct Step {
    let microseconds: Int64
    let stream: Int
    let sequence: Int
    let path: String
  }

  private let steps: [Step]
  private let reader: TUMFrameReader
  private let delivery = SingleDelivery()
  package static let parameters = TUMParameters()
  private static let bufferLimit = 64
  private static let year2000Microseconds: Int64 = 946_684_800_000_000
  /// The benchmark has no masks; `retake export tum` writes them.
  private static let layout: [(StreamKind, name: String, PixelFormat)] = [
    (.color, "rgb", .rgb24), (.depth, "depth", .depthMillimeters16), (.alpha, "mask", .grey8),
  ]

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let values = try specification.values(Self.parameters)
    var folder = specification.place
    while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
    guard !folder.isEmpty else {
      throw RetakeError(.usage, "Device 'tum' needs a data set's folder.", hint: "write tum:FOLDER")
    }
    try Self.checkFolder(folder)
    let stated = try values[Self.parameters.scale] == nil ? Self.statedScale(in: folder) : nil
    let scale = values[Self.parameters.scale] ?? stated ?? Self.benchmarkScale

    var streams: [StreamDescription] = []
    var steps: [Step] = []
    for (kind, name, format) in Self.layout {
      let list = try TUMPictureList.find(name, in: folder)
      guard !list.pictures.isEmpty else { continue }
      let median = try list.medianRate()
      steps += list.pictures.enumerated().map { sequence, picture in
        Step(microseconds: picture.microseconds, stream: streams.count, sequence: sequence, path: picture.path)
      }
      streams.append(
        StreamDescription(
          name: kind.rawValue, kind: kind,
          layout: try TUMFrameReader.layout(ofFirst: list.pictures.map(\.path), format),
          rate: values[Self.parameters.rate] ?? median, clock: .microseconds, device: "tum:\(Self.lastName(folder))",
          // The benchmark's depth is registered to its colour.
          settings: kind == .depth ? [.init("scale", "\(scale)"), .init("registered", "1")] : []))
    }
    guard streams.contains(where: { $0.kind != .alpha }) else {
      throw RetakeError(
        .notFound, "There are no pictures in \(folder).",
        hint: "a data set has rgb.txt and depth.txt, or folders rgb and depth with files such as "
          + "1305031102.175304.png")
    }
    let taken = Set(steps.map { $0.path.dropFirst(folder.count + 1).prefix { $0 != "/" } })
    // Pairs are found anew.
    let lists = ["associations.txt"] + Self.layout.map { "\($0.name).txt" }
    leftOut = try Folder.names(in: folder).filter {
      !$0.hasPrefix(".") && !taken.contains($0[...]) && !lists.contains($0)
    }.sorted()
    self.streams = streams
    self.steps = steps.sorted {
      ($0.microseconds, $0.stream, $0.sequence) < ($1.microseconds, $1.stream, $1.sequence)
    }
    reader = TUMFrameReader(unitsPerMeter: scale)
    let unit = streams.contains { $0.kind == .depth } ? ", depth of \(scale) units per metre" : ""
    summary = "data set \(folder) with \(steps.count) pictures\(unit)"
  }

  deinit { stop() }

  package static let scales = 1...1_000_000
  private static let benchmarkScale = 5000
  private static let titleLimit = 1 << 26

  /// Units per metre from the comments of `depth.txt`, where `retake export tum` writes them. The
  /// benchmark's own lists name their source file instead.
  package static func statedScale(in folder: String) throws(RetakeError) -> Int? {
    let list = "\(folder)/depth.txt"
    guard access(list, F_OK) == 0 else { return nil }
    for line in try FileBytes.read(list, limit: titleLimit).split(separator: UInt8(ascii: "\n")) {
      guard line.first == UInt8(ascii: "#") else { return nil }
      let comment = String(decoding: line.prefix(200), as: UTF8.self)
      if comment.contains("rgbd_dataset_freiburg") { return benchmarkScale }
      let words = comment.split { " ,\r".contains($0) }
      if words.count > 3, words.suffix(3) == ["units", "per", "metre"], let scale = Int(words[words.count - 4]),
        scales.contains(scale)
      {
        return scale
      }
    }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func checkFolder(_ folder: String) throws(RetakeError) {
    guard access(folder, F_OK) == 0 else { throw FileBytes.failure("read", folder) }
    guard isFolder(folder) else {
      throw RetakeError(
        .unsupported, "\(folder) is not a folder.", hint: "give the folder that contains rgb.txt or rgb")
    }
  }

  /// Only the last path component, so that recordings do not depend on the data set's location.
  private static func lastName(_ folder: String) -> String {
    folder.split(separator: "/").last.map(String.init) ?? folder
  }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let (steps, streams, reader) = (steps, streams, reader)
    let pools = streams.map { FrameBufferPool(bufferByteCount: $0.layout.byteCount, limit: Self.bufferLimit) }
    try delivery.start { isStopping in
      Self.deliver(steps, of: streams, from: reader, pools, to: sink, isStopping)
    }
  }

  package func stop() { delivery.stop() }

  private static func deliver(
    _ steps: [Step], of streams: [StreamDescription], from reader: TUMFrameReader,
    _ pools: [FrameBufferPool], to sink: any CaptureSink, _ isStopping: @Sendable () -> Bool
  ) {
    let earliest = steps.first?.microseconds ?? 0
    var lost = LostPictures()
    for step in steps {
      if isStopping() { return }
      let arrival = MonotonicTime(nanoseconds: (step.microseconds - earliest) * 1000)
      guard let buffer = pools[step.stream].take(waitingUnless: isStopping) else { return }
      let layout = streams[step.stream].layout
      do throws(RetakeError) {
        try reader.read(step.path, as: layout, into: buffer)
      } catch {
        lost.note(step.path, error)
        sink.report(CaptureLoss(streamIndex: step.stream, reason: .dropped, count: 1, arrival: arrival))
        continue
      }
      sink.deliver(
        CapturedFrame(
          streamIndex: step.stream, layout: layout, buffer: buffer, byteCount: layout.byteCount,
          deviceSequence: UInt64(step.sequence), deviceTick: UInt64(step.microseconds), arrival: arrival))
    }
    sink.finished(lost.failure)
  }
}

/// The options of a data set.
package struct TUMParameters: ParameterGroup {
  let scale = Parameter<Int?>(
    "scale", unit: "1/m", ifGiven: .integer(TUMDataSet.scales),
    help: "depth units per metre; by default the scale given in depth.txt, else 5000")
  let rate = Parameter<FrameRate?>(
    "fps", ifGiven: .rate, help: "nominal frame rate; by default from the median interval between timestamps")
}
