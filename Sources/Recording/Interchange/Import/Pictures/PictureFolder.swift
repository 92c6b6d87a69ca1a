import CaptureDevices
import FrameModel
import Kernels
import Support

/// A folder of numbered pictures: a data set, or what patterns select.
enum PictureFolder {
  private static let options: Set = ["--scale", "--fps", "--color", "--depth", "--depth-offset", "--intrinsics"]

  static func open(_ path: String, _ options: PictureOptions) throws(RetakeError) -> ImportSource {
    let path = trimmed(path)
    let layout = try layout(path, options)
    guard let rate = options.rate ?? layout.rate else {
      throw RetakeError(
        .usage, "The pictures in \(path) are named by number, so their times are unknown.",
        hint: "give their rate with --fps, such as --fps 30, or list them in rgb.txt and depth.txt with times")
    }
    let unit = options.scale ?? layout.unit
    guard layout.depth == nil || unit != nil else { throw .depthUnitMissing(path) }
    let color = try layout.color?.pictures()
    let depth = try layout.depth?.pictures()
    let times = try PictureTimes([color, depth].compactMap { $0 }, rate: rate)
    var lanes: [PictureFiles] = []
    if let color { lanes.append(try PictureFiles(times.timed(color), depth: nil)) }
    if let depth, let unit {
      let timed = times.timed(depth).map { moved($0, by: options.depthOffsetNanoseconds ?? 0) }
      lanes.append(try PictureFiles(timed, depth: unit, isLargestInvalid: layout.isLargestInvalid))
    } else if options.depthOffsetNanoseconds != nil {
      throw RetakeError(.usage, "--depth-offset needs depth, and \(path) has none.", hint: "leave it out")
    }
    var streams: [StreamDescription] = []
    for lane in lanes {
      let lens = try intrinsics(of: lane, layout, options)
      try streams.append(
        lane.kind, lane.coding.layout, nominalRate(lane, rate),
        device: "pictures:\(path.split(separator: "/").last ?? "")",
        (lane.unit?.settings ?? []) + (lens.map { [$0.setting] } ?? []))
    }
    let delivery = PictureDelivery(lanes: lanes, streams: streams)
    return ImportSource(
      device: delivery.device("folder \(path) with \(delivery.frameCount) pictures"), frameCount: delivery.frameCount,
      wallClockNanoseconds: 0,
      remarks: lanes.flatMap(\.leftOut) + (try leftovers(path, layout, options)) + delivery.timeRemarks)
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private static func layout(_ path: String, _ options: PictureOptions) throws(RetakeError) -> PictureFolderLayout {
    var layout = PictureFolderLayout()
    if options.color == nil && options.depth == nil {
      guard let found = try PictureFolderLayout.detect(path) else {
        throw RetakeError(
          .notFound, "There are no pictures in \(path).",
          hint: "name them with --color and --depth, such as 'depth/*.png'")
      }
      layout = found
    }
    if let color = options.color { layout.color = try PicturePattern(color, in: path, option: "--color") }
    if let depth = options.depth { layout.depth = try PicturePattern(depth, in: path, option: "--depth") }
    return layout
  }

  static func moved(_ picture: TimedPicture, by offset: Int64) -> TimedPicture {
    var moved = picture
    moved.nanoseconds += offset
    return moved
  }

  static func nominalRate(_ files: PictureFiles, _ fallback: FrameRate) throws(RetakeError) -> FrameRate {
    let times = files.times
    // The given rate to the digit, unless the stream has only every second picture, or so.
    if times.count > 1, abs(times[1] - times[0] - fallback.periodNanoseconds) > 1 {
      var rate = NominalRate()
      for time in times { rate.note(time) }
      return try rate.rate(fallback: fallback)
    }
    return fallback
  }

  private static func intrinsics(
    of lane: PictureFiles, _ layout: PictureFolderLayout, _ options: PictureOptions
  ) throws(RetakeError) -> CameraIntrinsics? {
    let found = lane.kind == .depth ? layout.depthIntrinsics : layout.colorIntrinsics
    // A file of the user's describes the one camera that all pictures are seen from.
    guard let path = options.intrinsics ?? found else { return nil }
    return try IntrinsicsFile.read(path, for: lane.coding.layout)
  }

  /// Names the files and folders that are not taken. Files whose names differ only in digits share a remark.
  private static func leftovers(
    _ path: String, _ layout: PictureFolderLayout, _ options: PictureOptions
  ) throws(RetakeError) -> [String] {
    let patterns = [layout.color, layout.depth].compactMap { $0 }
    let read = [layout.colorIntrinsics, layout.depthIntrinsics].compactMap { $0 }
    var folders = [path]
    for pattern in patterns where !folders.contains(pattern.folder) { folders.append(pattern.folder) }
    var alike: [String: [String]] = [:]
    for folder in folders {
      for name in try Folder.names(in: folder) where !name.hasPrefix(".") {
        let whole = "\(folder)/\(name)"
        let isTaken =
          patterns.contains { $0.folder == folder && $0.matches(name) || $0.folder == whole }
          || read.contains { $0 == whole || $0.hasPrefix(whole + "/") } || options.isRead(whole)
        if !isTaken { alike["\(folder)/\(withoutDigits(name))", default: []].append(whole) }
      }
    }
    let names = alike.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { $0.value.count > 1 ? "\($0.key): \($0.value.count) files" : $0.value[0] }
    return ImportSource.leftOut(names, of: path)
  }

  private static func withoutDigits(_ name: String) -> String {
    var result = ""
    for character in name {
      let isDigit = character.isASCII && character.isNumber
      if !isDigit { result.append(character) } else if result.last != "*" { result.append("*") }
    }
    return result
  }
}
