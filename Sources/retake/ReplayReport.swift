import FrameModel
import Rendering
import ReplaySessions
import Segmentation

/// What a replay delivered, for people and as JSON: exact numbers.
struct ReplayReport {
  private let played: ReplayPlayer.Result
  /// Nobody ended it before its end.
  private let isComplete: Bool
  private let targets: [OutputTarget]
  private let rate: FrameRate
  private let segmenter: KeptSegmenter?

  init(_ played: ReplayPlayer.Result, isComplete: Bool, _ targets: [OutputTarget], _ session: ReplaySession) {
    self.played = played
    self.isComplete = isComplete
    self.targets = targets
    rate = session.rate
    segmenter = session.segmenter
  }

  func conclude(json isJSON: Bool, isQuiet: Bool) {
    if isJSON {
      print(json.text)
    } else if !isQuiet {
      for sentence in sentences { Terminal.say(sentence) }
    }
  }

  /// What was delivered, by its names in JSON and in words.
  private var counts: [(key: String, words: String, count: Int)] {
    let counts = played.rendered.counts
    return [
      ("video_frames", "", counts.video),
      ("depth_delivered", "depth delivered", counts.depthDelivered),
      ("depth_held", "held", counts.depthHeld),
      ("depth_missing", "missing", counts.depthMissing),
      ("skipped", "skipped", played.rendered.skipped),
    ]
  }

  private var json: JSONObject {
    var object = JSONObject()
    for (key, _, count) in counts { object.add(key, count) }
    object.add("is_complete", isComplete)
    if played.speed != nil {
      object.add("late", played.lateness.count)
      object.add("latest_ms", Double(played.lateness.largestNanoseconds) / 1e6)
    }
    if let segmenter {
      object.add("masks", segmenter.identity.key)
      object.add("masks_found", segmenter.counts.found)
      object.add("masks_computed", segmenter.counts.computed)
      object.add("masks_failed", segmenter.counts.failed)
    }
    object.add("outputs", targets.map(\.text))
    return object
  }

  private var sentences: [String] {
    let video = played.rendered.counts.video
    let speed = Double(video) / rate.framesPerSecond / max(played.seconds, 1e-9)
    let delivered = counts.dropFirst().map { "\($0.words) \($0.count)" }.joined(separator: ", ")
    var sentences = [
      "\(video) frames, \(delivered); \(Format.seconds(played.seconds)), \(Format.decimals(speed, 1)) times real time"
        + (isComplete ? "" : "; ended before its end")
    ]
    if played.speed != nil && played.lateness.count > 0 {
      let latest = Format.decimals(Double(played.lateness.largestNanoseconds) / 1e6, 0)
      sentences.append("\(played.lateness.count) pictures came late, by up to \(latest) ms")
    }
    if let segmenter {
      let counts = segmenter.counts
      sentences.append(
        "masks of \(segmenter.model): \(counts.found) were kept, \(counts.computed) computed"
          + (counts.failed > 0 ? ", \(counts.failed) failed" : ""))
    }
    for target in targets where !target.isStandardOutput && target.kind != .none {
      sentences.append("wrote \(target.text)")
    }
    return sentences
  }
}
