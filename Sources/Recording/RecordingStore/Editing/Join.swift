import ChunkFormat
import FrameModel
import Kernels
import Support

/// Copies recordings that follow each other into one, with their faces, events, marks and tags. Encoded frames
/// are copied bit for bit.
package enum Join {
  /// - Parameters:
  ///   - recordings: in the order of their times; at least two.
  ///   - gapNanoseconds: from each recording's last frame to the next one's first; nil places them by
  ///     their clocks.
  ///   - progress: called after each chunk file with those done and in total; false stops the copy.
  /// - Throws: `.unsupported` for recordings of other streams, or that overlap in time; when the folder is not
  ///   empty; disk errors. No folder is left then.
  package static func run(
    _ recordings: [Recording], into folder: RecordingFolder, gapNanoseconds: Int64? = nil,
    fileSystem: any FileSystem = RealFileSystem(), progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> CopyReport {
    let streams = try JoinedStreams.common(to: recordings)
    let parts = try JoinTimeLine(recordings, gapNanoseconds: gapNanoseconds).parts
    let tags = try joinedTags(recordings)
    return try folder.makingWhole(on: fileSystem) { folder throws(RetakeError) in
      let files = try RecordingFiles(folder, streams: streams, options: RecorderOptions(), fileSystem: fileSystem)
      defer { files.close() }
      files.begin(identity(of: parts))
      let total = parts.reduce(0) { $0 + $1.selection.eventFiles.count }
      var (done, damage): (Int, [String]) = (0, [])
      for part in parts {
        var placement = part.placement
        placement.precedingCounts = files.status.frameCounts
        var copy = try SelectionCopy(part.recording, part.selection, into: files, at: placement)
        damage += try copy.run { own, _ in progress(done + own, total) }
        done += part.selection.eventFiles.count
      }
      var report = try CopyReport(closing: files, damage: damage)
      report.gaps = zip(parts, parts.dropFirst()).map { $1.begin - $0.end }
      if !tags.isEmpty { try TagFile(folder).change(fileSystem: fileSystem) { $0 = tags } }
      return report
    }
  }

  private static func identity(of parts: [JoinTimeLine.Part]) -> RecordingIdentity {
    var identity = parts[0].recording.identity
    let text = parts.map { "\($0.recording.identity.id)@\($0.placement.offset)" }.joined(separator: "/")
    identity.id = Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
    return identity
  }

  /// All tags and notes. Of different values, the first recording's counts.
  private static func joinedTags(_ recordings: [Recording]) throws(RetakeError) -> RecordingTags {
    var joined = RecordingTags()
    var notes: [String] = []
    for recording in recordings {
      let tags = try recording.tags()
      for tag in tags.tags where !joined.tags.contains(where: { $0.name == tag.name }) {
        try joined.set(tag.name, to: tag.value)
      }
      if !tags.note.isEmpty && !notes.contains(tags.note) { notes.append(tags.note) }
    }
    try joined.setNote(notes.joined(separator: "\n"))
    return joined
  }
}

/// Streams of recordings that are to be joined.
enum JoinedStreams {
  /// - Throws: `.unsupported` when they differ in more than the device's name.
  static func common(to recordings: [Recording]) throws(RetakeError) -> [StreamDescription] {
    let first = try streams(of: recordings[0])
    for recording in recordings.dropFirst() {
      let others = try streams(of: recording)
      if let difference = difference(first, others) {
        throw RetakeError(
          .unsupported,
          "\(recording.folder.path) cannot be joined to \(recordings[0].folder.path): \(difference).",
          hint: "'retake info --json' shows the streams of each; recordings of one camera, set up alike, can be joined")
      }
    }
    return first
  }

  /// As `trim` copies them: with what was calibrated later, and without the settings of a ring.
  private static func streams(of recording: Recording) throws(RetakeError) -> [StreamDescription] {
    recording.streams(recording.streams, telling: try recording.alignment()).withoutRing
  }

  private static func difference(_ first: [StreamDescription], _ others: [StreamDescription]) -> String? {
    let (names, otherNames) = (first.map(\.name), others.map(\.name))
    guard names == otherNames else {
      return "its streams are \(otherNames.joined(separator: ", ")) instead of \(names.joined(separator: ", "))"
    }
    for (own, other) in zip(first, others) {
      if own.kind != other.kind || own.layout.packed != other.layout.packed {
        return "its '\(own.name)' is \(text(other)) instead of \(text(own))"
      }
      if own.rate != other.rate { return "its '\(own.name)' has \(other.rate) fps instead of \(own.rate)" }
      if own.clock != other.clock { return "the device clock of '\(own.name)' has another unit or width" }
      for name in Set((own.settings + other.settings).map(\.name)).sorted() {
        let (value, otherValue) = (own.settings[name] ?? "not set", other.settings[name] ?? "not set")
        if value != otherValue {
          return "the setting '\(name)' of '\(own.name)' is \(otherValue.prefix(60)) instead of \(value.prefix(60))"
        }
      }
    }
    return nil
  }

  private static func text(_ stream: StreamDescription) -> String {
    "\(stream.kind.rawValue) \(stream.layout.format.rawValue) \(stream.layout.width)x\(stream.layout.height)"
  }
}
