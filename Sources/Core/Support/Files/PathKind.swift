import Glibc

/// What a path holds, and which verb takes it. Every verb that was given another kind of path says so in the same words.
package enum PathKind: Hashable, Sendable, CaseIterable {
  case recording, bundle, results, digests, mcap, bag, video, picture, yaml, plate, pointer, folder

  /// Nil if the path does not exist, or nothing tells what it is.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = Self.isRecording(path) ? .recording : .folder
    case S_IFREG:
      guard let kind = Self.byContent(path) ?? Self.named(path) else { return nil }
      self = kind
    default: return nil
    }
  }

  package var words: String {
    switch self {
    case .recording: "a recording"
    case .bundle: "a bug bundle"
    case .results: "results of a sweep"
    case .digests: "a file of digests"
    case .mcap: "an MCAP file"
    case .bag: "a ROS bag"
    case .video: "a video"
    case .picture: "a picture"
    case .yaml: "a YAML file"
    case .plate: "a plate of an empty scene"
    case .pointer: "a pointer of Git LFS"
    case .folder: "a folder"
    }
  }

  /// The error for a path of another kind than a verb takes; nil if it is of that kind, missing, or unknown.
  package static func mismatch(_ path: String, wanted: PathKind, code: RetakeError.Code = .corrupt) -> RetakeError? {
    guard let kind = PathKind(path: path), kind != wanted else { return nil }
    if let recording = recording(around: path) {
      return RetakeError(
        code, "\(path) is not \(wanted.words): it is a part of the recording \(recording).",
        hint: wanted == .recording
          ? "give the recording: \(ShellWord.quoted(recording))" : PathKind.recording.hint(recording, wanted: wanted))
    }
    // Both are SQLite's files; their readers tell them apart.
    if kind == .bag && wanted == .results { return nil }
    return RetakeError(
      code, "\(path) is not \(wanted.words): it is \(kind.words).", hint: kind.hint(path, wanted: wanted))
  }

  /// The error for what Retake itself has written, where a verb takes only what others have; nil for all else.
  package static func ownWork(_ path: String) -> RetakeError? {
    guard let kind = PathKind(path: path), [.recording, .bundle, .results, .digests, .pointer].contains(kind) else {
      return nil
    }
    return RetakeError(
      .unsupported, "\(path) is not imported: it is \(kind.words).", hint: kind.hint(path, wanted: .mcap))
  }

  /// The next step with this path, for a user who wanted to use it as another kind.
  private func hint(_ path: String, wanted: PathKind) -> String {
    let path = ShellWord.quoted(path)
    switch (self, wanted) {
    case (.recording, .bundle): return "'retake bundle \(path) -o NAME.retake-bundle' makes a bundle of it"
    case (.recording, .results): return "'retake sweep \(path)' makes results, in a file of its own"
    case (.recording, .digests): return "'retake replay \(path) --output NAME.jsonl' writes its digests"
    case (.recording, .plate): return "'retake plate \(path) -o FILE' learns one from it"
    case (.recording, _): return "'retake info \(path)' shows what it holds"
    case (.bundle, .digests):
      return "'retake reproduce \(path)' compares it with what it should be; --keep FOLDER writes both files of digests"
    case (.bundle, _): return "'retake reproduce \(path)' replays it; --keep FOLDER unpacks its recording"
    case (.results, .yaml):
      return
        "'retake sweep best \(path) -o \(Folder.freePath("best", ".yaml"))' writes its best setting as YAML; with --by SCORE if the "
        + "sweep had no --best"
    case (.results, _): return "'retake sweep table \(path)' shows them"
    case (.digests, _): return "'retake compare \(path) OTHER.jsonl' compares it with those of another replay"
    case (.video, .digests), (.picture, .digests):
      return
        "\(words)'s pixels are not compared: 'retake replay RECORDING --output NAME.jsonl', once with each setting, writes digests to compare"
    case (.mcap, _), (.bag, _): return "'retake import \(path)' makes a recording of it"
    case (.video, _):
      return "'retake import \(path)' makes a recording of it; 'retake replay' takes it as --background"
    case (.picture, _): return "'retake replay' takes it as --background; give \(wanted.words)"
    case (.yaml, _):
      return
        "'retake replay RECORDING --parameters \(path)' takes parameters, as 'retake studio' does, 'retake sweep --file \(path)' a "
        + "sweep's definition"
    case (.plate, _): return "'retake replay RECORDING --set mask.plate=\(path)' uses it"
    case (.pointer, _): return "'git lfs pull' fetches the file that it stands for"
    case (.folder, .recording):
      return
        "give a folder made by 'retake record', whose name ends in .retake; 'retake list \(path)' finds those in it"
    case (.folder, .bundle): return "\(path)/*.retake-bundle names those in it; 'retake bundle' makes one"
    case (.folder, .digests): return "'retake replay RECORDING --output NAME.jsonl' writes digests"
    case (.folder, _): return "give \(wanted.words)"
    }
  }

  /// The recording that a file or folder lies in, in its folder or one below.
  package static func recording(around path: String) -> String? {
    var inner = Folder.withoutTrailingSlash(path)
    for _ in 0..<2 {
      guard let slash = inner.lastIndex(of: "/"), slash != inner.startIndex else { return nil }
      inner = String(inner[..<slash])
      if isRecording(inner), access(inner + "/index.sqlite", F_OK) == 0 { return inner }
    }
    return nil
  }

  private static func isRecording(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "/chunks", &status) == 0
  }

  private static let headByteCount = 64

  private static func byContent(_ path: String) -> PathKind? {
    // A pipe that took the file's place in the meantime would block.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: headByteCount)
    let count = SystemCall.retried { head.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
    let text = String(decoding: head.prefix(max(0, count)), as: UTF8.self)
    func begins(_ bytes: [UInt8]) -> Bool { count >= bytes.count && head.starts(with: bytes) }
    if text.hasPrefix("SQLite format 3\0") { return named(path) == .bag ? .bag : .results }
    if begins([0x89, 0x4D, 0x43, 0x41, 0x50]) {
      return text.contains("retake-bundle") || named(path) == .bundle ? .bundle : .mcap
    }
    if text.hasPrefix("{") && text.contains("\"retake-digests") { return .digests }
    if text.hasPrefix("#ROSBAG") { return .bag }
    if text.hasPrefix("RTKPLATE") { return .plate }
    if text.hasPrefix("version https://git-lfs.github.com/") { return .pointer }
    if begins([0x89, 0x50, 0x4E, 0x47]) || begins([0xFF, 0xD8, 0xFF]) { return .picture }
    if begins([0x1A, 0x45, 0xDF, 0xA3]) || text.dropFirst(4).hasPrefix("ftyp") { return .video }
    return nil
  }

  /// The error for a folder to be made whose name says that it is a file; nil for other names, and where there is a folder.
  package static func wrongFolderName(_ path: String, of what: String, hint: String) -> RetakeError? {
    guard let kind = named(path), PathKind(path: path) != .folder else { return nil }
    return RetakeError(.usage, "\(path) is named as \(kind.words), but \(what) is a folder.", hint: hint)
  }

  /// By the suffix alone, of a path that may not exist.
  package static func named(_ path: String) -> PathKind? {
    let suffixes: [(PathKind, [String])] = [
      (.bundle, [".retake-bundle"]), (.results, [".sqlite"]), (.digests, [".jsonl"]), (.mcap, [".mcap"]),
      (.bag, [".bag", ".db3"]), (.video, [".mkv", ".mp4", ".mov", ".avi", ".webm"]),
      (.picture, [".png", ".jpg", ".jpeg"]), (.yaml, [".yaml", ".yml"]), (.plate, [".retake-plate"]),
    ]
    let name = path.lowercased()
    return suffixes.first { $0.1.contains { name.hasSuffix($0) } }?.0
  }
}
