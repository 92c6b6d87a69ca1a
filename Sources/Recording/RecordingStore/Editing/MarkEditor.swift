import FrameModel
import Support

/// Adds marks to a finished recording, in a new chunk file.
package enum MarkEditor {
  /// - Parameter marks: on the recording's time line.
  /// - Throws: when a recorder is using the folder, or it needs a repair or cannot be written to.
  package static func add(
    _ marks: [Mark], to recording: Recording, fileSystem: any FileSystem = RealFileSystem()
  ) throws(RetakeError) {
    let folder = recording.folder
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let appender = try ChunkFileAppender(recording, on: fileSystem, refused: "no mark can be added")
    let number = try folder.nextChunkFileNumber()
    try appender.begin()
    var batch = IndexBatch()
    batch.marks = marks
    try appender.append(number: number, batch) { writer throws(RetakeError) in
      for mark in marks { try writer.append(mark) }
    }
    try appender.finish()
  }
}
