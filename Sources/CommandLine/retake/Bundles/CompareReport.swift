import Replay
import Support

struct CompareReport {
  let comparison: DigestFileComparison
  let a: DigestFileReader
  let b: DigestFileReader
  var pixels: ComparedPixels?

  var text: String {
    let frames = comparison.frames
    var lines: [String] = []
    if !comparison.headers.isEmpty {
      lines.append("made with different settings (A / B):")
      for case .header(let field, let a, let b) in comparison.headers { lines.append("  \(field): \(a) / \(b)") }
    }
    if comparison.offset != 0 {
      lines.append(
        "B numbers the recording's frames from \(b.header.firstNumber), A from \(a.header.firstNumber): "
          + "numbers below are A's")
    }
    if comparison.masksDiffer {
      lines.append("different masks were used: \(a.footer?.masks ?? "") / \(b.footer?.masks ?? "")")
    }
    lines += comparison.cut
    for (name, only) in [("A", frames.missing), ("B", frames.extra)] where only.count > 0 {
      lines.append("only \(name) has \(Format.counted(only.count, "frame")): \(only.text)")
    }
    if case .frame(let frame, let stage, let a, let b) = frames.firstFrameDifference {
      let pass = frames.firstFramePass > 0 ? " of pass \(frames.firstFramePass + 1)" : ""
      lines.append(
        "the first difference is in frame \(frame)\(pass), stage \(stage.rawValue)"
          + (a == DigestStage.none ? ", which A lacks" : b == DigestStage.none ? ", which B lacks" : ""))
      let counts = DigestStage.counted(frames.stageCounts)
      let verb = frames.differingCount == 1 ? "differs" : "differ"
      lines.append(
        "\(frames.differingCount) of \(Format.counted(frames.commonCount, "frame")) \(verb): \(counts)"
      )
      if let caution { lines.append(caution) }
      if let pixels { lines.append(pixels.text) }
    } else if frames.commonCount == 0 {
      lines.append("no frame is in both")
    } else {
      lines.append("\(Format.counted(frames.commonCount, "frame")) equal in every stage")
    }
    return lines.joined(separator: "\n")
  }

  /// Other causes of a difference: unrelated frames of two recordings, or different first frames.
  private var caution: String? {
    guard case .frame(_, let stage, _, _) = comparison.frames.firstFrameDifference else { return nil }
    guard a.header.recording == b.header.recording else {
      return stage == .sourceColor
        ? "they are of two recordings, compared by frame number; a part made by 'retake trim' counts from 0"
        : nil
    }
    let (first, second) = (a.header.firstFrame, b.header.firstFrame + comparison.offset)
    guard !a.header.order.isReversed, first != second, stage != .sourceColor else { return nil }
    return "they begin at frames \(first) and \(second); this alone can change results, which depend on earlier frames"
  }

  var json: JSONObject {
    let frames = comparison.frames
    return JSONObject([
      "equal": comparison.isEqual,
      "header_differences": comparison.headers.compactMap { difference -> JSONObject? in
        guard case .header(let field, let a, let b) = difference else { return nil }
        return JSONObject(["field": field, "a": a, "b": b])
      },
      "masks_differ": comparison.masksDiffer,
      "frames_compared": frames.commonCount,
      "frames_differing": frames.differingCount,
      "differing_by_stage": DigestStage.json(frames.stageCounts),
      "first_difference": firstDifference,
      "only_a": Self.json(frames.missing),
      "only_b": Self.json(frames.extra),
      "cut_off": [("a", a), ("b", b)].filter { $0.1.cutSentence != nil }.map(\.0),
      "pixels": pixels?.json,
    ])
  }

  private var firstDifference: JSONObject? {
    guard case .frame(let frame, let stage, let a, let b) = comparison.frames.firstFrameDifference else { return nil }
    return JSONObject([
      "frame": frame, "pass": comparison.frames.firstFramePass, "stage": stage.rawValue, "a": a, "b": b,
    ])
  }

  private static func json(_ frames: FrameRuns) -> JSONObject {
    JSONObject(["count": frames.count, "frames": frames.text])
  }
}

extension DigestStage {
  /// "matte of 8, composite of 8": how many frames differ in each stage.
  static func counted(_ counts: [Int]) -> String {
    allCases.filter { counts[$0.position] > 0 }.map { "\($0.rawValue) of \(counts[$0.position])" }
      .joined(separator: ", ")
  }

  static func json(_ counts: [Int]) -> JSONObject {
    JSONObject(pairs: allCases.map { ($0.rawValue, counts[$0.position]) })
  }
}
