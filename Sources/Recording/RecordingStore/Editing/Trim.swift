import ChunkFormat
import FrameModel
import Support

/// Copies a part of a recording into a new one, with its faces, events, marks and tags. Encoded frames
/// are copied bit for bit. Numbers restart at 0, and times too unless `keepsTimes` is set.
package enum Trim {
  /// - Parameters:
  ///   - treatment: nil copies frames and faces unchanged.
  ///   - keepsTimes: keeps the original times, so that a background video or recording shows the
  ///     same pictures as with the whole recording.
  ///   - progress: called after each chunk file with those done and in total; false stops the copy.
  /// - Throws: disk errors. No folder is left then.
  package static func run(
    _ recording: Recording, _ selection: FrameSelection, into folder: RecordingFolder,
    treatment: (any CopyTreatment)? = nil, keepsTimes: Bool = false, fileSystem: any FileSystem = RealFileSystem(),
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> CopyReport {
    let tags = try recording.tags()
    let alignment = try recording.alignment()
    let offset = keepsTimes ? 0 : -selection.start.nanoseconds
    let streams = recording.streams(treatment?.streams ?? recording.streams, telling: alignment).withoutRing
    return try folder.makingWhole(on: fileSystem) { folder throws(RetakeError) in
      let files = try RecordingFiles(folder, streams: streams, options: RecorderOptions(), fileSystem: fileSystem)
      defer { files.close() }
      files.begin(
        recording.identity.ofPart(
          from: PresentationTime(nanoseconds: -offset), selecting: selection.frames,
          treatment: [treatment?.name, alignment?.text, recording.calibrationKey].compactMap { $0 }.joined(
            separator: " ")
        ))
      var copy = try SelectionCopy(
        recording, selection, into: files, at: .init(offset: offset), treatment: treatment)
      let damage = try copy.run(progress)
      let report = try CopyReport(closing: files, damage: damage)
      if !tags.isEmpty { try TagFile(folder).change(fileSystem: fileSystem) { $0 = tags } }
      return report
    }
  }
}
