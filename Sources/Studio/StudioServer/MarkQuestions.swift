import FrameModel
import Glibc
import RecordingStore
import Support

/// The page's questions for marks of a finished recording, which are changed beside its frames: see `MarkEditor`.
struct MarkQuestions {
  private let recording: Recording
  private let firstNumber: Int

  /// Opens the recording again: one that is open does not see marks that were set since.
  init(_ open: Recording, firstNumber: Int) throws(RetakeError) {
    recording = try Recording(path: open.folder.path)
    self.firstNumber = firstNumber
  }

  /// In the order of time. Times are texts, since they may have more digits than a number of JavaScript.
  func list() throws(RetakeError) -> [JSONObject] {
    try recording.marks().map { mark throws(RetakeError) in
      let frame = try recording.firstFrameSet(from: mark.presentation) + firstNumber
      return JSONObject(["frame": frame, "time": "\(mark.presentation.nanoseconds)", "label": mark.label])
    }
  }

  /// Sets a mark, gives it another label, or removes it.
  /// - Returns: the marks after that.
  /// - Throws: `.usage` for a label that is not one line, `.notFound` for a mark that is not there any more, and as
  ///   `MarkEditor`.
  func change(_ question: Question.MarkChange) throws(RetakeError) -> JSONObject {
    guard recording.isClosed else {
      throw RetakeError(
        .busy, "\(recording.folder.path) is not closed, so its marks cannot be changed.",
        hint: "try again when the recording has ended")
    }
    guard access(recording.folder.path, W_OK) == 0 else {
      throw RetakeError(
        .inputOutput, "\(recording.folder.path) cannot be written, so its marks cannot be changed.",
        hint: "make it writable, or copy the recording")
    }
    if let old = question.old {
      let mark = try self.mark(old)
      guard try recording.marks().contains(mark) else {
        throw RetakeError(.notFound, "This mark is not there any more.", hint: "reload the page")
      }
      try MarkEditor.set(question.new?.label, of: mark, in: recording)
    } else if let new = question.new {
      try MarkEditor.add([mark(new)], to: recording)
    }
    return JSONObject(["marks": try MarkQuestions(recording, firstNumber: firstNumber).list()])
  }

  private func mark(_ place: Question.MarkPlace) throws(RetakeError) -> Mark {
    if let time = place.time.flatMap({ Int64($0) }) {
      return try Mark(label: place.label, presentation: PresentationTime(nanoseconds: time))
    }
    return try Mark(label: place.label, presentation: recording.presentation(of: .frameSet(place.frame ?? -1)))
  }
}
