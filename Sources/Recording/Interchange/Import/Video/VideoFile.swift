import Media
import Support

/// A video file that ffmpeg reads as a child process.
struct VideoFile: Hashable, Sendable {
  /// ffmpeg's names of the containers that are read.
  enum Container: String, CaseIterable, Sendable {
    case matroska, mov, avi

    /// - Parameter start: the first 12 bytes of a file.
    init?(_ start: some Collection<UInt8>) {
      let start = Array(start)
      let kinds = ["ftyp", "moov", "mdat", "wide", "free", "skip"].map { Array($0.utf8) }
      if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
        self = .matroska
      } else if start.count >= 12, start.starts(with: "RIFF".utf8), start[8..<12].elementsEqual("AVI ".utf8) {
        self = .avi
      } else if start.count >= 8, kinds.contains(Array(start[4..<8])) {
        self = .mov
      } else {
        return nil
      }
    }
  }

  let path: String
  let container: Container

  init(path: String, container: Container) {
    self.path = path
    self.container = container
  }

  /// - Throws: `.unsupported` for a file of another kind.
  init(path: String) throws(RetakeError) {
    let source = try FileStart.read(path)
    guard let container = Container(source) else {
      throw RetakeError(
        .unsupported, "\(path) is not a video that Retake can import.", hint: "give an .mp4, .mov, .mkv or .avi file")
    }
    self.init(path: path, container: container)
  }

  /// Of a stream's device.
  var prefix: String { container == .matroska ? "mkv" : container.rawValue }
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The length that an AVI file's first RIFF chunk states; nil for other containers.
  func statedByteCount() throws(RetakeError) -> Int? {
    guard container == .avi else { return nil }
    let start = try FileStart.read(path)
    guard start.count >= 8 else { return nil }
    let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(start[$1]) }
    // Writers that cannot seek state the largest number.
    return size == 0xFFFF_FFFF ? nil : size + 8
  }

  /// Limit on a single allocation of ffmpeg, against hostile files.
  private static let largestAllocationByteCount = 1 << 30

  /// - Throws: `.childProcess` if the program is not installed.
  static func child(_ name: String, _ arguments: [String]) throws(RetakeError) -> ChildReader {
    try ChildReader(name, arguments, missing: "Reading video files needs \(name), which is not installed.")
  }

  /// Makes ffmpeg and ffprobe read this file as its container and open nothing else.
  /// - Parameter options: of the file, such as its decoder's.
  func input(_ options: [String] = []) -> [String] {
    ["-v", "error", "-max_alloc", "\(Self.largestAllocationByteCount)", "-protocol_whitelist", "file"] + options
      + ["-f", container.rawValue, "-i", "file:\(path)"]
  }
}
