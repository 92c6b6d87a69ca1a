import Foundation
import FrameModel
import Support

/// The recording that a split session goes on in, made on a thread of its own before it is needed.
final class NextPart: @unchecked Sendable {
  // Unchecked: the result is set before `done` is signalled and read after it was waited for.
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<RecordingFiles, RetakeError>?

  init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem
  ) {
    let thread = Thread { [self] in
      do throws(RetakeError) {
        result = .success(
          try RecordingFiles(folder, streams: streams, options: options, fileSystem: fileSystem))
      } catch {
        result = .failure(error)
      }
      done.signal()
    }
    thread.name = "retake.next-part"
    thread.start()
  }

  /// Waits for it. Once.
  func take() -> Result<RecordingFiles, RetakeError>? {
    done.wait()
    defer { result = nil }
    return result
  }
}

extension Result<RecordingFiles, RetakeError> {
  /// Takes away a recording that was made and not needed.
  func discard() {
    guard case .success(let files) = self else { return }
    files.close()
    files.folder.removeEmpty()
  }
}
