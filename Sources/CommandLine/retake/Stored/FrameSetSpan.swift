import ArgumentParser
import RecordingStore
import Support

struct FrameSetSpan: ParsableArguments {
  @Option(
    help: "Where to begin: \(MomentArgument.help). A bare number is a frame set, not seconds.", completion: .moment)
  var from: MomentArgument?
  @Option(
    help:
      "Where to end: 3.5s or mark:LABEL, of which nothing is taken, or 120 for a frame set, which is the last one taken.",
    completion: .moment)
  var to: MomentArgument?

  func validate() throws {
    if case .frameSet(let first) = from?.moment, case .frameSet(let last) = to?.moment, last < first {
      throw ValidationError(
        "--from \(first) lies after --to \(last); these are frame sets, and \(first)s and \(last)s are seconds.")
    }
    if case .time(let begin) = from?.moment, case .time(let end) = to?.moment, end <= begin {
      throw ValidationError("--from has to be before --to.")
    }
  }

  var span: MomentSpan { MomentSpan(from: from?.moment, to: to?.moment) }
  var isEverything: Bool { span.isEverything }

  /// - Parameter say: receives a note where bare numbers were probably meant as seconds.
  func frameSets(of recording: Recording, say: (String) -> Void) throws(RetakeError) -> Range<Int> {
    let frames = try span.frameSets(of: recording)
    if let note = try note(on: frames, of: recording) { say(note) }
    return frames
  }

  /// The frames of the span, also those outside of frame sets.
  func selection(of recording: Recording, say: (String) -> Void) throws(RetakeError) -> FrameSelection {
    let selection = try span.selection(of: recording)
    let isBare = [span.from, span.to].contains { if case .frameSet = $0 { true } else { false } }
    let sets = isBare ? (try? span.frameSets(of: recording)) ?? 0..<0 : 0..<0
    if let note = try note(on: sets, of: recording) { say(note) }
    return selection
  }

  /// "a.retake ends before --to, at 9.97 s, with frame set 299." Nil for an end that is at most a second or a frame set
  /// beyond the recording, and for one that is still being recorded.
  private func endNote(of recording: Recording) throws(RetakeError) -> String? {
    guard recording.isClosed else { return nil }
    let end = try recording.firstNumber() + recording.frameSetCount()
    let duration = try recording.summary().durationSeconds
    switch span.to {
    case .time(let nanoseconds)? where Double(nanoseconds) / 1e9 > duration + 1: break
    case .frameSet(let number)? where number > end: break
    default: return nil
    }
    return "\(recording.folder.path) ends before --to, at \(Format.decimals(duration, 2)) s, with frame set \(end - 1)."
  }

  /// Whether one end is a frame set and the other a time.
  private var isMixed: Bool {
    switch (span.from, span.to) {
    case (.frameSet, .time), (.time, .frameSet): true
    default: false
    }
  }

  /// Says where frame sets were probably meant as seconds, and where the recording ends before the span.
  func note(on frames: Range<Int>, of recording: Recording) throws(RetakeError) -> String? {
    let notes = [try bareNote(on: frames, of: recording), try endNote(of: recording)].compactMap { $0 }
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// "Frame sets 12 to 15 are 0.13 s; for seconds, write --from 12s --to 15s." Nil without bare numbers, for a single
  /// frame set, and for a second and more, unless the other end is a time, or the only number can be a time of the recording.
  private func bareNote(on frames: Range<Int>, of recording: Recording) throws(RetakeError) -> String? {
    let (count, first) = (try recording.frameSetCount(), try recording.firstNumber())
    let bare = [("--from", span.from), ("--to", span.to)].compactMap { option, moment -> String? in
      // The first frame set is at 0 s. `endNote` tells of numbers beyond the last.
      if case .frameSet(let number)? = moment, number > 0, number <= first + count {
        "\(option) \(number)s"
      } else {
        nil
      }
    }
    let taken = frames.clamped(to: 0..<count)
    guard !bare.isEmpty, taken.count > 1, taken.count < count else { return nil }
    let duration = try recording.summary().durationSeconds
    let seconds = duration * Double(taken.count) / Double(count)
    var canBeTime = false
    if case .frameSet(let number)? = span.from, span.to == nil { canBeTime = Double(number) < duration }
    guard seconds < 1 || isMixed || canBeTime else { return nil }
    let begin = duration * Double(taken.lowerBound) / Double(count)
    return "Frame sets \(taken.lowerBound + first) to \(taken.upperBound - 1 + first) are "
      + "\(Format.decimals(seconds, 2)) s\(canBeTime ? ", from \(Format.decimals(begin, 2)) s on" : ""); for seconds, write "
      + "\(bare.joined(separator: " "))."
  }
}
