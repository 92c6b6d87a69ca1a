import FrameModel
import Glibc
import MattePipeline
import Media
import Parameters
import RecordingStore
import Replay
import Support

struct OutputTarget {
  enum Kind: String, CaseIterable {
    case png, sheet, mp4, y4m, v4l2, digests, none

    var text: String {
      switch self {
      case .png: "png:FOLDER"
      case .sheet: "sheet:FILE.png"
      case .mp4, .y4m, .digests: "\(rawValue):FILE"
      case .v4l2: "v4l2:/dev/videoN"
      case .none: "none"
      }
    }
  }

  /// The source of the frames. Not every kind of output works with both.
  enum Source: Sendable {
    case recording, cameras

    var kinds: [Kind] {
      switch self {
      case .recording: Kind.allCases
      case .cameras: Kind.allCases.filter { $0 != .sheet }
      }
    }
  }

  let text: String
  let kind: Kind
  private let path: String
  private let existing: ExistingFiles

  /// - Throws: `.usage` for an unknown kind, a missing path, or binary output to a terminal.
  init(_ text: String, of source: Source = .recording, _ existing: ExistingFiles) throws(RetakeError) {
    self.existing = existing
    let text = Self.inferred(text) ?? text
    self.text = text
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: halves[0]), source.kinds.contains(kind) else {
      throw Self.unknown(halves, of: source)
    }
    self.kind = kind
    path = halves.count == 2 ? halves[1] : ""
    guard kind == .none || !path.isEmpty else {
      throw RetakeError(.usage, "Output '\(text)' has no file name.", hint: "write \(kind.text)")
    }
    if path == "-" {
      guard kind == .y4m || kind == .digests else {
        throw RetakeError(
          .usage, "\(kind.rawValue) cannot go to standard output.", hint: "y4m and digests can; name a file")
      }
      guard kind == .digests || !Terminal.outputIsTerminal else {
        throw RetakeError(
          .usage, "Video cannot be written to a terminal.", hint: "pipe it: … --output - | ffplay -")
      }
    }
  }

  /// - Parameter halves: what stands before the colon, and behind it if there is one.
  private static func unknown(_ halves: [String], of source: Source) -> RetakeError {
    if source == .cameras, Kind(rawValue: halves[0]) == .sheet {
      return RetakeError(
        .usage, "A running camera has no contact sheet.",
        hint: "write a video, as in a.mp4, or a folder of PNGs, as in a/")
    }
    let sheet = source == .recording ? ".png (a contact sheet), " : ""
    let endings = "\(sheet)\(Self.videoEndings.joined(separator: ", ")), .y4m or .jsonl (digests)"
    guard halves.count == 2 else {
      let name = halves[0].split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
      let stem = halves[0].contains(".") && !name.isEmpty ? String(name) : halves[0]
      return RetakeError(
        .usage, "'\(halves[0])' does not tell what kind of output it is.",
        hint: "write \(stem)/ for a folder of PNGs, or end the name in \(endings)")
    }
    let texts = source.kinds.map(\.text)
    return RetakeError(
      .usage, "There is no output '\(halves[0])'\(source == .cameras ? " of a camera" : "").",
      hint: "\(Spelling.guess(halves[0], in: source.kinds.map(\.rawValue)))There are "
        + "\(texts.dropLast().joined(separator: ", ")) and \(texts.last ?? "")")
  }

  private static let videoEndings = [".mp4", ".mkv", ".webm", ".mov"]

  /// The outputs as people type them, for help.
  /// - Parameter others: those that stand behind videos, each with ", " after it.
  static func help(_ others: String = "") -> String {
    """
    The output: FILE.mp4 (or \(videoEndings.dropFirst().joined(separator: ", "))), \(others)FOLDER/ (PNGs), FILE.y4m, - (Y4M to \
    standard output), /dev/videoN, FILE.jsonl (digests) or none; with its kind before the name where that says nothing, such \
    as png:FOLDER.
    """
  }

  /// The output with its kind, where only its place is given: `a.mp4`, `a.png`, `frames/`, `-`. Nil for other text.
  private static func inferred(_ text: String) -> String? {
    if text == "-" { return "y4m:-" }
    if text == "/dev/null" { return "none" }
    if text.hasPrefix("/dev/video") { return "v4l2:\(text)" }
    // A colon behind a letter is that of a kind, perhaps a mistyped one.
    guard text.hasPrefix("/") || text.hasPrefix(".") || !text.contains(":") else { return nil }
    if text.hasSuffix("/") { return "png:\(text)" }
    let kinds: [(suffix: String, kind: Kind)] =
      [(".png", .sheet), (".y4m", .y4m), (".jsonl", .digests)] + videoEndings.map { ($0, .mp4) }
    return kinds.first { text.lowercased().hasSuffix($0.suffix) }.map { "\($0.kind.rawValue):\(text)" }
  }

  /// A contact sheet beside a recording, under a name that no file has: `session-sheet.png`, `session-sheet-2.png`, …
  static func sheet(besides recording: String) -> String {
    var name = recording[...]
    while name.count > 1 && name.hasSuffix("/") { name = name.dropLast() }
    if name.hasSuffix(RecordingFolder.suffix) { name = name.dropLast(RecordingFolder.suffix.count) }
    return "sheet:" + Folder.freePath("\(name)-sheet", ".png")
  }

  var isStandardOutput: Bool { path == "-" }

  /// Where it goes, for messages.
  var place: String { kind == .none ? text : path }

  /// Whether the output is useless without a picture. A digest file may be empty.
  var needsPictures: Bool { kind != .digests && kind != .none }

  /// Whether it is a named pipe or a character device.
  var isPipe: Bool {
    var status = stat()
    return stat(path, &status) == 0 && [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// The stages that the outputs need; all if there is no output.
  static func wantedStages(_ targets: [OutputTarget], tap: Tap) -> PipelineStages {
    let wanted = targets.map { target -> PipelineStages in
      switch target.kind {
      case .png, .mp4, .y4m, .v4l2: tap.stages
      case .sheet, .digests, .none: .all
      }
    }
    return wanted.isEmpty ? .all : wanted.reduce(into: .original) { $0.formUnion($1) }
  }

  var usesTap: Bool { needsPictures && kind != .sheet }

  static func areTwo(_ path: String) -> RetakeError {
    RetakeError(.usage, "Two outputs go to \(path).", hint: "name another file for one of them")
  }

  /// - Throws: if an existing file would be replaced; `.usage` if two outputs have the same path.
  static func checkPlaces(_ targets: [OutputTarget]) throws(RetakeError) {
    let targets = targets.filter { $0.kind != .none && !$0.isStandardOutput }
    for (number, target) in targets.enumerated()
    where targets[..<number].contains(where: { Folder.absolute($0.path) == Folder.absolute(target.path) }) {
      throw areTwo(target.path)
    }
    for target in targets {
      try Folder.checkParent(of: target.path)
      if target.kind == .png {
        try target.existing.checkPictureFolder(target.path)
      } else {
        try target.existing.check(target.path)
      }
    }
  }

  /// - Throws: `.usage` if more than one result would go to standard output.
  static func check(_ targets: [OutputTarget], json: Bool) throws(RetakeError) {
    if targets.filter(\.isStandardOutput).count + (json ? 1 : 0) > 1 {
      throw RetakeError(.usage, "Only one output can go to standard output.", hint: "name a file for the others")
    }
  }

  /// - Throws: `.usage` if a later pass would overwrite the pictures of an earlier one.
  static func check(_ targets: [OutputTarget], passes: Int) throws(RetakeError) {
    guard passes > 1, let folder = targets.first(where: { $0.kind == .png }) else { return }
    throw RetakeError(
      .usage, "--passes \(passes) would write the pictures of \(folder.text) again in each pass.",
      hint: "leave out --passes, since each pass has the same pictures, or write a video, as in a.mp4")
  }

  /// - Parameters:
  ///   - start: the recording's first frame, from which a contact sheet's times count.
  ///   - maskDigest: called at the end for the digest of a network's masks.
  func open(
    tap: Tap, sizes: PipelineSizes, rate: FrameRate, frames: Range<Int>,
    start: PresentationTime = PresentationTime(nanoseconds: 0), header: DigestHeader,
    patience: WritePatience = WritePatience(), maskDigest: @escaping () -> String? = { nil }
  ) throws(RetakeError) -> (any RenderSink)? {
    // The sink of PNGs makes its folder itself, and removes it again if it stays empty.
    if kind == .png {
      try Folder.checkParent(of: path)
    } else if kind != .none && !isStandardOutput {
      try Folder.makeParent(of: path)
    }
    return switch kind {
    case .png: try PNGFolderSink(path: path, tap: tap, replacesPictures: existing.force)
    case .sheet: try ContactSheetSink(path: path, sizes: sizes, frames: frames, start: start)
    case .mp4: try VideoSink(path: path, tap: tap, sizes: sizes, rate: rate, patience: patience)
    case .y4m: try Y4MSink(path: path, tap: tap, sizes: sizes, rate: rate, patience: patience)
    case .v4l2: try V4L2Sink(LinuxVideoOutput(path: path, patience: patience), tap: tap, sizes: sizes, rate: rate)
    case .digests: try DigestSink(path: path, header: header, patience: patience, maskDigest: maskDigest)
    case .none: nil
    }
  }
}

extension Tap {
  static func named(_ name: String) throws(RetakeError) -> Tap {
    if let tap = Tap(rawValue: name) { return tap }
    throw RetakeError(
      .usage, "There is no tap '\(name)'.",
      hint: "there are \(Tap.allCases.map(\.rawValue).joined(separator: ", "))")
  }
}
