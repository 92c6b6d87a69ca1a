import Foundation
import FrameModel
import Support

/// Creates the next recording of a split session in advance, on its own thread.
final class NextPart: @unchecked Sendable {
  // Unchecked: the result is set before `done` is signalled and read after it was waited for.
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<RecordingFiles, RetakeError>?

  init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem
  ) {
    let thread = Thread { [self] in
      result = Result { () throws(RetakeError) in
        try RecordingFiles(folder, streams: streams, options: options, fileSystem: fileSystem)
      }
      done.signal()
    }
    thread.name = "retake.next-part"
    thread.start()
  }

  func take() -> Result<RecordingFiles, RetakeError>? {
    done.wait()
    defer { result = nil }
    return result
  }
}

extension Result<RecordingFiles, RetakeError> {
  func discard() {
    guard case .success(let files) = self else { return }
    files.close()
    files.folder.removeEmpty()
  }
}
