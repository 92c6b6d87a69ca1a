import FrameModel
import Support

/// Adds, removes and renames marks of a finished recording. New marks are in a new chunk file, other changes in
/// `marks.json`.
package enum MarkEditor {
  /// - Parameter marks: on the recording's time line.
  /// - Throws: when a recorder is using the folder, or it needs a repair or cannot be written to.
  package static func add(
    _ marks: [Mark], to recording: Recording, fileSystem: any FileSystem = RealFileSystem()
  ) throws(RetakeError) {
    try changing(recording, fileSystem) { changes, stored throws(RetakeError) in
      let stored = Set(stored)
      var added: [Mark] = []
      for mark in marks {
        if let mark = try changes.adding(mark, stored: stored) { added.append(mark) }
      }
      // First: between the two, a mark may be shown twice, but none is missing.
      if !added.isEmpty { try append(added, to: recording, fileSystem) }
    }
  }

  /// Removes a mark, or gives it another label.
  /// - Parameters:
  ///   - mark: as `Recording.marks()` has it; all that equal it.
  ///   - label: nil removes it.
  /// - Throws: as `add`; `.usage` for a label that is not one line, and after too many changes.
  package static func set(
    _ label: String?, of mark: Mark, in recording: Recording, fileSystem: any FileSystem = RealFileSystem()
  ) throws(RetakeError) {
    if let label { _ = try Mark(label: label, presentation: mark.presentation) }
    try changing(recording, fileSystem) { changes, stored throws(RetakeError) in
      try changes.set(label, of: mark, stored: stored)
    }
  }

  private static func changing(
    _ recording: Recording, _ fileSystem: any FileSystem,
    _ body: (inout MarkChanges, _ stored: [Mark]) throws(RetakeError) -> Void
  ) throws(RetakeError) {
    let lock = try FolderLock(recording.folder)
    defer { withExtendedLifetime(lock) {} }
    let file = MarkChangeFile(recording.folder)
    let before = try file.read()
    var changes = before
    // Opened again under the lock: the recording may have changed since.
    try body(&changes, try Recording(path: recording.folder.path).storedMarks())
    if changes != before { try file.write(changes, on: fileSystem) }
  }

  private static func append(
    _ marks: [Mark], to recording: Recording, _ fileSystem: any FileSystem
  ) throws(RetakeError) {
    let appender = try ChunkFileAppender(recording, on: fileSystem, refused: "no mark can be added")
    let number = try recording.folder.nextChunkFileNumber()
    try appender.begin()
    var batch = IndexBatch()
    batch.marks = marks
    try appender.append(number: number, batch) { writer throws(RetakeError) in
      for mark in marks { try writer.append(mark) }
    }
    try appender.finish()
  }
}
