import FrameModel
import Glibc
import Support

/// The images of one stream of a data set, in timestamp order.
struct TUMPictureList {
  struct Picture: Hashable {
    let microseconds: Int64
    let path: String
  }

  let pictures: [Picture]
  private static let listFileLimit = 1 << 26

  /// Reads `NAME.txt` in the folder if it exists, else the file names in `NAME/`, else nothing.
  static func find(_ name: String, in folder: String) throws(RetakeError) -> TUMPictureList {
    let list = "\(folder)/\(name).txt"
    if access(list, F_OK) == 0 { return try TUMPictureList(list: list, in: folder) }
    let pictures = "\(folder)/\(name)"
    return access(pictures, F_OK) == 0 ? try TUMPictureList(folder: pictures) : TUMPictureList([])
  }

  /// Equal timestamps keep the order of the list or, in a folder, of the names.
  private init(_ pictures: [Picture]) {
    self.pictures = pictures.enumerated()
      .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }
      .map(\.element)
  }

  /// Parses lines of "timestamp filename"; # begins a comment.
  private init(list path: String, in folder: String) throws(RetakeError) {
    let text = try FileBytes.read(path, limit: Self.listFileLimit)
    var pictures: [Picture] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, bytes) in lines.enumerated() {
      let line = String(decoding: Self.trimmed(bytes), as: UTF8.self)
      // Names may contain spaces.
      let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let place = "\(path), line \(number + 1)"
      guard words.count == 2, let microseconds = TUMTimestamp.microseconds(first) else {
        throw RetakeError(
          .corrupt, "\(place), is not a timestamp followed by a file name: '\(line.prefix(80))'.",
          hint: "write lines such as '1305031102.175304 rgb/1305031102.175304.png'")
      }
      let name = String(words[1].drop { $0 == " " || $0 == "\t" })
      pictures.append(Picture(microseconds: microseconds, path: try Self.inside(folder, name, place)))
    }
    self.init(pictures)
  }

  /// Strips blanks at both ends, including the carriage return of lists from Windows.
  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    var line = line.drop(while: blanks.contains)
    while let last = line.last, blanks.contains(last) { line.removeLast() }
    return line
  }

  /// Rejects names outside the folder, since a data set may come from an untrusted source.
  private static func inside(_ folder: String, _ name: String, _ place: String) throws(RetakeError) -> String {
    let leadsOut = name.hasPrefix("/") || name.split(separator: "/").contains("..") || name.utf8.contains(0)
    guard !leadsOut, !name.isEmpty else {
      throw RetakeError(
        .corrupt, "\(place), names a file outside the data set: '\(name.prefix(80))'.",
        hint: "name pictures relative to the folder, without '..'")
    }
    return "\(folder)/\(name)"
  }

  /// Reads images whose names are their timestamps; ignores other kinds of files.
  private init(folder: String) throws(RetakeError) {
    var pictures: [Picture] = []
    for name in try Folder.names(in: folder) {
      let lower = name.lowercased()
      guard !name.hasPrefix("."), let type = [".png", ".jpg", ".jpeg"].first(where: lower.hasSuffix) else {
        continue
      }
      guard let microseconds = TUMTimestamp.microseconds(name.dropLast(type.count)) else {
        throw RetakeError(
          .corrupt, "The name of \(folder)/\(name) is not a timestamp in seconds.",
          hint: "name pictures such as 1305031102.175304.png, or list them in \(folder).txt")
      }
      pictures.append(Picture(microseconds: microseconds, path: "\(folder)/\(name)"))
    }
    self.init(pictures)
  }

  /// Rate of the median interval, whole if microsecond rounding explains it; 30 without intervals.
  func medianRate() throws(RetakeError) -> FrameRate {
    let gaps = zip(pictures.dropFirst(), pictures)
      .map { $0.microseconds - $1.microseconds }
      .filter { $0 > 0 }
      .sorted()
    guard !gaps.isEmpty else { return try FrameRate(30) }
    let median = Int(gaps[gaps.count / 2])
    let whole = (1_000_000 + median / 2) / median
    if (1...1000).contains(whole), abs(whole * median - 1_000_000) <= whole { return try FrameRate(whole) }
    let thousandths = (1_000_000_000 + median / 2) / median
    return try FrameRate(min(1_000_000, max(1, thousandths)), 1000)
  }
}
