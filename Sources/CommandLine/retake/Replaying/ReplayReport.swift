import FrameModel
import Replay
import Support

struct ReplayReport {
  let played: ReplaySession.Played
  /// Whether the replay ran to its end.
  let isComplete: Bool
  let targets: [OutputTarget]
  let tap: Tap
  let withoutTapCount: Int
  let session: ReplaySession
  private var rate: FrameRate { session.rate }
  private var segmenter: KeptSegmenter? { session.segmenter }

  /// - Throws: if an output that needs pictures has none.
  func conclude(json isJSON: Bool, isQuiet: Bool) throws(RetakeError) {
    if isJSON {
      try print(json.versioned.text)
    } else if !isQuiet {
      for sentence in sentences { Terminal.say(sentence) }
    }
    if let withoutTap { throw withoutTap }
    if let emptiness { throw emptiness }
  }

  /// The error for a complete replay without a picture; nil if there was one.
  private var emptiness: RetakeError? {
    let counts = played.rendered.counts
    let skipped = played.rendered.skipped
    guard isComplete, counts.video <= skipped else { return nil }
    let lack = skipped > 0 ? MissingPictures(played.rendered.counts, segmenter, session) : nil
    let hint =
      if let lack {
        lack.hint
      } else if counts.colorDropped > 0 {
        "set fault.color-drop lower"
      } else {
        "set throttle.rate higher, or throttle.from later"
      }
    return RetakeError(
      .unsupported, "The replay gave no picture: \(losses)\(lack.map { ", since \($0.reason)" } ?? "").", hint: hint)
  }

  /// "all 8 frames were dropped", "of 8 frames 3 were dropped, 5 skipped".
  private var losses: String {
    let counts = played.rendered.counts
    let lost = [
      (counts.colorDropped, "dropped"), (counts.colorThrottled, "throttled"), (played.rendered.skipped, "skipped"),
    ].filter { $0.0 > 0 }
    if lost.count == 1, lost[0].0 == counts.played {
      return counts.played == 1 ? "its only frame was \(lost[0].1)" : "all \(counts.played) frames were \(lost[0].1)"
    }
    let words = lost.enumerated().map { "\($1.0)\($0 == 0 ? " were" : "") \($1.1)" }
    return "of \(Format.counted(counts.played, "frame")) \(words.joined(separator: ", "))"
  }

  private var renderedCount: Int { played.rendered.counts.video - played.rendered.skipped }

  /// The error if no frame had the stage that an output shows.
  private var withoutTap: RetakeError? {
    guard isComplete, withoutTapCount > 0, withoutTapCount >= renderedCount else { return nil }
    return RetakeError(
      .unsupported, "The replay gave no picture: \(Format.counted(withoutTapCount, "frame")) had no \(tap.rawValue).",
      hint: "choose another --tap, or a preset or mask.kind that makes it")
  }

  /// Whether the output contains anything.
  private func isMade(_ target: OutputTarget) -> Bool {
    guard target.needsPictures else { return true }
    return renderedCount > (target.usesTap ? withoutTapCount : 0)
  }

  /// What was delivered: key in JSON, words, count.
  private var counts: [(key: String, words: String, count: Int)] {
    let counts = played.rendered.counts
    return [
      ("video_frames", "frames", counts.video),
      ("depth_delivered", "depth delivered", counts.depthDelivered),
      ("depth_held", "held", counts.depthHeld),
      ("depth_missing", "missing", counts.depthMissing),
      ("skipped", "skipped", played.rendered.skipped),
    ]
  }

  /// Effects of schedules and faults. The text shows only those above 0.
  private var faults: [(key: String, words: String, count: Int)] {
    let counts = played.rendered.counts
    return [
      ("color_throttled", "colour throttled", counts.colorThrottled),
      ("color_dropped", "colour dropped", counts.colorDropped),
      ("color_duplicated", "colour duplicated", counts.colorDuplicated),
      ("color_swapped", "colour swapped", counts.colorSwapped),
      ("depth_due", "depth due", counts.depthDue),
      ("depth_dropped", "depth dropped", counts.depthDropped),
      ("depth_lacking", "depth lacking", counts.depthLacking),
      ("depth_superseded", "depth superseded", counts.depthSuperseded),
      ("depth_duplicated", "depth duplicated", counts.depthDuplicated),
      ("depth_swapped", "depth swapped", counts.depthSwapped),
      ("depth_stuck", "depth stuck", counts.depthStuck),
      ("faces_lost", "faces lost", counts.facesLost),
    ]
  }

  private var json: JSONObject {
    var object = JSONObject(pairs: counts.map { ($0.key, $0.count) })
    object.add(["without_tap": withoutTapCount, "flawed_jpeg": session.flawedColorCount])
    for (key, _, count) in faults { object.add(key, count) }
    let lateness = played.wasTimed ? played.lateness : nil
    object.add([
      "is_complete": isComplete,
      "late": lateness?.count,
      "latest_ms": lateness.map { Double($0.largestNanoseconds) / 1e6 },
      "changed_while_learning": session.changedWhileLearning,
      "masks": segmenter?.identity.key,
      "masks_found": segmenter?.counts.found,
      "masks_computed": segmenter?.counts.computed,
      "masks_failed": segmenter?.counts.failed,
      "outputs": targets.map(\.text),
    ])
    return object
  }

  private var sentences: [String] {
    let video = played.rendered.counts.video
    let speed = Double(video) / rate.framesPerSecond / max(played.seconds, 1e-9)
    let delivered = counts.dropFirst().filter { $0.count > 0 }.map { ", \($0.words) \($0.count)" }.joined()
    var sentences = [
      "\(Format.counted(video, "frame"))\(delivered); \(Format.seconds(played.seconds)), "
        + "\(Format.decimals(speed, 1)) times real time"
        + (isComplete ? "" : "; stopped before the end")
    ]
    let done = faults.filter { $0.count > 0 && $0.key != "depth_due" }
    if !done.isEmpty { sentences.append(done.map { "\($0.words) \($0.count)" }.joined(separator: ", ")) }
    if withoutTapCount > 0 && withoutTap == nil {
      sentences.append(
        "\(Format.counted(withoutTapCount, "frame")) had no \(tap.rawValue): they have no PNG, and a black picture in "
          + "a video")
    }
    if session.flawedColorCount > 0 {
      sentences.append(
        "\(Format.counted(session.flawedColorCount, "JPEG frame")) had damaged or superfluous data and may be decoded "
          + "incorrectly")
    }
    if played.rendered.skipped > 0 && renderedCount > 0 && session.learnedFrameCount > 0 {
      let reason = MissingPicture.learning(session.request.parameters)
      sentences.append(
        "\(reason), and skips frames until then; 'retake plate' learns it from another part or recording")
    }
    if let changed = session.changedWhileLearning {
      sentences.append(
        "\(Format.decimals(100 * changed, 0)) % of the depth map changed while the empty scene was learned, so people may "
          + "have been in it; begin where it is empty, with --from, or set mask.plate-frames lower")
    }
    if played.wasTimed && played.lateness.count > 0 {
      let latest = Format.decimals(Double(played.lateness.largestNanoseconds) / 1e6, 0)
      sentences.append("\(Format.counted(played.lateness.count, "picture")) came up to \(latest) ms late")
    }
    if let segmenter {
      let counts = segmenter.counts
      sentences.append(
        "masks of \(segmenter.model): \(counts.found) reused, \(counts.computed) computed"
          + (counts.failed > 0 ? ", \(counts.failed) failed" : ""))
    }
    for target in targets where !target.isStandardOutput && target.kind != .none {
      guard isMade(target) else { continue }
      sentences.append("wrote \(target.place)")
    }
    return sentences
  }
}
