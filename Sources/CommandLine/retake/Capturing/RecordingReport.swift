import ArgumentParser
import FrameModel
import Glibc
import RecordingStore
import Support

/// What `record` and `import` say at the end.
enum RecordingReport {
  /// Reports what was recorded and lost.
  /// - Parameters:
  ///   - isSplit: whether there may be several recordings; JSON is then a list.
  ///   - isLive: false for an import, whose losses no advice can undo.
  ///   - faceAdvice: what to try where few frames have a face.
  /// - Throws: an exit code if something was lost.
  static func conclude(
    _ streams: [StreamDescription], _ status: RecorderStatus, _ failure: RetakeError?, json: Bool, isQuiet: Bool,
    isSplit: Bool = false, isLive: Bool = true, faceAdvice: String? = nil
  ) throws {
    // A folder that was moved or removed in the meantime is not a result.
    let paths = status.folders.map(\.path).filter { access($0, F_OK) == 0 }
    let gone = status.folders.map(\.path).filter { access($0, F_OK) != 0 }
    if let failure {
      Terminal.report(failure)
    } else if !isQuiet {
      // A user may move finished parts of a session while it continues.
      for path in gone { Terminal.say("\(path) was moved or removed during the recording.") }
    }
    if status.failure != nil, let path = paths.last {
      let isClosed = (try? Recording(path: path))?.isClosed ?? false
      let rest = isClosed ? "" : "; 'retake recover' restores any that its index lacks"
      Terminal.say("Frames recorded until then are in \(path)\(rest).")
    }
    if json {
      // Reads the recordings back, to report what other programs will read.
      let reports = try paths.map { try InfoReport(Recording(path: $0)).json.versioned }
      if isSplit {
        try print(reports.jsonText)
      } else if let report = reports.first {
        try print(report.text)
      }
    } else if !isQuiet {
      let counts = Format.counts(streams, status.frameCounts)
      // An index that could not be finished lacks the last frames.
      let summaries = paths.compactMap { try? Recording(path: $0) }.filter(\.isClosed).compactMap { try? $0.summary() }
      Terminal.say("Recorded \(counts) frames\(summaries.isEmpty ? "" : "; \(summaries.sizeText)").")
      if status.removedFrameCounts.contains(where: { $0 > 0 }) {
        let gone = Format.counts(streams, status.removedFrameCounts)
        Terminal.say("The ring let go of the oldest \(gone) frames.")
      }
      if status.damagedCount > 0 && isLive {
        Terminal.say(
          "\(Format.counted(status.damagedCount, "frame", "is", "are")) incomplete, kept and flagged; 'retake info' shows of "
            + "which stream.")
      }
      if status.faceDetector != nil { Terminal.say(sentence(status.faces)) }
      if let faceAdvice { Terminal.say(faceAdvice) }
    }
    // With --quiet too: without --output nothing else tells where the recording is.
    if !json { for path in paths { try print(path) } }
    if let failure = status.faceFailure {
      Terminal.report(failure)
      Terminal.say("Face detection stopped there; the remaining frames are marked as skipped.")
    }
    if status.droppedCount > 0 && !isQuiet {
      Terminal.say(losses(status, of: streams, isLive: isLive && failure == nil, isThere: !paths.isEmpty))
    }
    if !json && !isQuiet && failure == nil, let path = paths.first {
      Terminal.say(next(path, streams, status.faces))
    }
    // A camera's damaged frames may be made good by the next; a source's stay.
    let isDamaged = !isLive && status.damagedCount > 0
    if status.droppedCount > 0 || isDamaged || failure != nil { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  /// Removes a recording of cameras that has no frame.
  static func checkHasFrames(_ recorder: Recorder, _ status: RecorderStatus, _ failure: RetakeError?)
    throws(RetakeError)
  {
    guard !status.frameCounts.contains(where: { $0 > 0 }) else { return }
    recorder.removeIfEmpty()
    throw failure
      ?? RetakeError(
        .device, "No camera delivered a frame.", hint: "check the cable and the output of 'retake devices'")
  }

  private static func next(_ path: String, _ streams: [StreamDescription], _ faces: FaceCounts) -> String {
    let word = ShellWord.quoted(path)
    var steps = [("info", "what it holds")]
    let kinds = Set(streams.map(\.kind))
    let isMasked = kinds.isSuperset(of: [.color, .depth])
    if isMasked && faces.lookedCount + faces.skippedCount == 0 {
      steps.append(("faces", "finds the faces by which people are known"))
    }
    if isMasked {
      steps += [
        ("replay", "makes a contact sheet"), ("studio", "a page in the browser with every parameter"),
      ]
    }
    let width = (steps.map(\.0.count).max() ?? 0) + word.count + 3
    var lines = steps.map { "  retake \(Format.padded("\($0) \(word)", width))\($1)" }
    if kinds.contains(.color) && !kinds.contains(.depth) {
      lines.append(
        "Without depth, people are masked by a network: --preset virtual-background --set mask.model=FILE.onnx")
    }
    return (["Next:"] + lines).joined(separator: "\n")
  }

  /// How many frame sets are incomplete at each stage, and what to do about the worst.
  /// - Parameter isThere: whether there is a recording to look into.
  static func losses(
    _ status: RecorderStatus, of streams: [StreamDescription], isLive: Bool, isThere: Bool = true
  ) -> String {
    let isSimulated = streams.allSatisfy { $0.device.hasPrefix("simulated") }
    let sets = status.lostSets
    let stages = sets.map { "\($0.count) at the stage '\($0.stage.rawValue)'\($0.stage.meaning)" }.joined(
      separator: ", ")
    let total = Format.counted(sets.reduce(0) { $0 + $1.count }, "frame set", "is", "are")
    let least = sets.allSatisfy(\.isExact) ? "" : "At least "
    let lost =
      "\(least)\(total) incomplete: \(stages) (\(Format.counted(status.droppedCount, "frame")))."
      + (isThere ? " 'retake info' shows where." : "")
    guard isLive, let worst = sets.first else { return lost }
    let advice: String? =
      switch worst.stage {
      case .device where isSimulated:
        "this machine renders too slowly, where pace=fast renders all, or an option such as drop or unplug loses frames"
      case .device: "the camera or its cable lost them; try a USB controller of its own, or a lower rate"
      case .queue, .encoder: "the processor was too slow; try a smaller --size or --fps, or close other programs"
      case .disk: "the disk was too slow, or could not be written; try another one with --output"
      case .pairing, .preroll: nil
      }
    guard let advice else { return lost }
    return "\(lost)\nhint: \(advice)"
  }

  /// "Faces in 290 of 298 frames looked at (2 skipped)."
  private static func sentence(_ faces: FaceCounts) -> String {
    let skipped = faces.skippedCount > 0 ? " (\(faces.skippedCount) skipped)" : ""
    return "Faces in \(faces.faceFrameCount) of \(faces.lookedCount) searched frames\(skipped)."
  }
}

extension [RecordingSummary] {
  /// "52.1 MB, 4.24 times smaller than raw": what lies on the disk, all chunk files.
  var sizeText: String {
    let stored = reduce(0) { $0 + $1.storedByteCount }
    let raw = reduce(0) { $0 + $1.streams.reduce(0) { $0 + $1.rawByteCount } }
    let ratio = Double(raw) / Double(Swift.max(1, stored))
    return "\(Format.bytes(stored)), \(Format.decimals(ratio, 2)) times smaller than raw"
  }
}

extension FrameEvent.Stage {
  /// Where the name alone does not tell.
  fileprivate var meaning: String {
    switch self {
    case .pairing: " (a frame had no partner of the other stream near enough in time)"
    case .preroll: " (before a mark, when the time kept was full)"
    case .device, .queue, .encoder, .disk: ""
    }
  }
}

extension RecorderStatus {
  /// Frame sets that lack a frame, by the stage that lost it, the worst stage first. As many as the stream that lost
  /// most; more if streams lost frames of different sets, which their counts show.
  var lostSets: [(stage: FrameEvent.Stage, count: Int, isExact: Bool)] {
    FrameEvent.Stage.allCases.compactMap { stage in
      let counts = (dropped[stage] ?? []).filter { $0 > 0 }
      return counts.max().map { (stage, $0, Set(counts).count == 1) }
    }.sorted { $0.1 > $1.1 }
  }
}
