import FrameModel
import RecordingStore
import Support

/// Times count from the first frame.
struct MarkList {
  private let marks: [Mark]
  private let start: PresentationTime

  /// - Parameter asSet: without changes since then.
  init(_ recording: Recording, asSet: Bool = false) throws(RetakeError) {
    marks = try asSet ? recording.storedMarks() : recording.marks()
    start = try recording.start()
  }

  func time(of mark: Mark) -> Double { Double(mark.presentation.nanoseconds - start.nanoseconds) / 1e9 }

  func seconds(of mark: Mark) -> String { Format.decimals(time(of: mark), 3) + " s" }

  /// None for an empty label: nothing can name such marks.
  func labelled(_ label: String) -> [Mark] { label.isEmpty ? [] : marks.filter { $0.label == label } }

  /// - Parameters:
  ///   - word: a label, or a moment.
  ///   - label: the new label, for the hint of --rename.
  /// - Throws: `.notFound`; `.usage` if several marks are meant.
  func mark(
    _ word: String, of recording: Recording, option: String, label: String? = nil
  ) throws(RetakeError) -> Mark {
    let path = recording.folder.path
    var found = labelled(word)
    if found.isEmpty, let moment = MomentArgument(argument: word)?.moment {
      if case .mark(let label) = moment {
        found = labelled(label)
      } else {
        found = try marks(at: moment, of: recording)
      }
    }
    guard let first = found.first else {
      throw RetakeError(
        .notFound, "\(path) has no mark '\(word)'.",
        hint: "\(Spelling.guess(word, in: marks.map(\.label).filter { !$0.isEmpty }))"
          + "'retake mark \(ShellWord.quoted(path)) --list' shows them; name one by its label or time, as in 12.5s")
    }
    guard found.allSatisfy({ $0 == first }) else {
      let isByLabel = found.allSatisfy { $0.label == first.label }
      let names = found.prefix(10).map { isByLabel ? seconds(of: $0) : "'\($0.label)'" }.joined(separator: ", ")
      let named = Format.decimals(time(of: first), 3) + "s" + (label.map { "=" + $0 } ?? "")
      let hint =
        switch (isByLabel, Set(found.map(seconds)).count > 1) {
        case (true, true): "name one by its time: \(option) \(ShellWord.quoted(named))"
        case (true, false): "they have the same label, less than a millisecond apart, so nothing names one of them"
        case (false, _): "name one by its label"
        }
      throw RetakeError(.usage, "\(found.count) marks are '\(word)': \(names).", hint: hint)
    }
    return first
  }

  /// Times as they are listed, to a millisecond.
  private func marks(at moment: Moment, of recording: Recording) throws(RetakeError) -> [Mark] {
    let time: PresentationTime
    do throws(RetakeError) { time = try recording.presentation(of: moment) } catch {
      guard error.code == .notFound else { throw error }
      return []
    }
    let halfMillisecond: Int64 = 500_000
    return marks.filter { abs($0.presentation.nanoseconds - time.nanoseconds) <= halfMillisecond }
  }

  /// - Parameter word: OLD=NEW, either of which may have a '='.
  func renaming(_ word: String, of recording: Recording) throws(RetakeError) -> (mark: Mark, label: String?) {
    let parts = word.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      throw RetakeError(
        .usage, "--rename \(word) names no new label.", hint: "write --rename \(ShellWord.quoted(word + "=LABEL"))")
    }
    let splits = (1..<parts.count).map { count in
      (parts[..<count].joined(separator: "="), parts[count...].joined(separator: "="))
    }
    let (old, label) = splits.first { split in marks.contains { $0.label == split.0 } } ?? splits[0]
    let mark = try mark(old, of: recording, option: "--rename", label: label)
    // Checked before any mark is changed.
    _ = try Mark(label: label, presentation: mark.presentation)
    return (mark, label)
  }

  var lines: [String] { marks.map { $0.label.isEmpty ? seconds(of: $0) : "\(seconds(of: $0))  \($0.label)" } }

  var json: [JSONObject] {
    marks.map { mark in
      JSONObject([
        "label": mark.label,
        "seconds": time(of: mark),
        "presentation_ns": Int(mark.presentation.nanoseconds),
      ])
    }
  }
}
