import MattePipeline
import Replay
import StudioViews
import Support

/// A picture as the page reads it: the length of a JSON header, the header, then the planes' bytes.
enum PictureAnswer {
  /// Planes begin at multiples of this.
  private static let alignment = 8
  /// Of the page's first picture: the large one, and the small ones beside it.
  private static let (largeWidth, smallWidth) = (640, 320)

  static func response(
    _ answer: ViewAnswer, to request: ViewRequest, _ wanted: WantedPlanes, milliseconds: Double
  ) -> StudioResponse {
    response(
      described(answer, to: request, taps: wanted.taps, milliseconds: milliseconds), answer.picture, wanted)
  }

  private static func described(_ answer: ViewAnswer, to request: ViewRequest, taps: [Tap], milliseconds: Double)
    -> JSONObject
  {
    var header = JSONObject()
    header.add("frame", request.frame)
    let isExact = answer.picture?.isExact(taps) ?? false
    header.add("exact", isExact)
    header.add("why", isExact ? "" : why(request.setting, answer))
    if let history = answer.history {
      header.add("history", JSONObject(["done": history.done, "total": history.total]))
    }
    header.add("milliseconds", milliseconds)
    return header
  }

  /// The answer to a question that the page has not asked yet. It repeats the question, so that the page can tell whether it
  /// is its own. All but depth, which the histogram needs whole, is thinned, since the page waits for these bytes.
  static func unasked(_ answer: ViewAnswer, to request: ViewRequest) -> StudioResponse {
    let thinned = (answer.picture?.planes ?? []).filter { $0.tap != .depth }
    let steps = thinned.map { plane in
      (plane.tap.rawValue, max(1, plane.size.width / (plane.tap == .composite ? largeWidth : smallWidth)))
    }
    let wanted = WantedPlanes(taps: Tap.allCases, steps: Dictionary(uniqueKeysWithValues: steps))
    let values = JSONObject(pairs: request.setting.changes.map { ($0.name, $0.value) })
    var header = described(answer, to: request, taps: Tap.allCases, milliseconds: 0)
    header.add([
      "from": request.span.frames.lowerBound, "to": request.span.frames.upperBound,
      "setting": JSONObject(["preset": request.setting.preset, "values": values]),
    ])
    return response(header, answer.picture, wanted)
  }

  /// - Parameter header: what it says beside the planes.
  static func response(
    _ header: JSONObject, _ picture: ViewPicture?, _ wanted: WantedPlanes
  ) -> StudioResponse {
    var header = header
    var bodies: [[UInt8]] = []
    if let picture {
      header.add("skipped", picture.missing != nil)
      if let missing = picture.missing {
        header.add(
          "missing", JSONObject(["reason": missing.reason, "hint": missing.hint, "isDamage": missing.isDamage]))
      }
      header.add("depthIsNew", picture.depthIsNew)
      header.add("cutoffMillimeters", picture.cutoffMillimeters)
      header.add(
        "faces",
        picture.faces.map {
          JSONObject(["x": $0.box.x, "y": $0.box.y, "width": $0.box.width, "height": $0.box.height])
        })
      header.add(
        "planes",
        picture.planes.filter { wanted.taps.contains($0.tap) }.map { plane in
          let (isKnown, step) = (wanted.isKnown(plane), wanted.step(plane))
          let bytes = isKnown ? [] : plane.thinned(step)
          if !isKnown { bodies.append(bytes) }
          return JSONObject([
            "tap": plane.tap.rawValue, "width": plane.size.width, "height": plane.size.height,
            "format": format(plane.tap), "step": isKnown ? 1 : step,
            "bytes": bytes.count, "digest": plane.digest, "omitted": isKnown,
          ])
        })
    } else {
      header.add("planes", [JSONObject]())
    }
    var text = Array(header.text.utf8)
    while (text.count + 4) % alignment != 0 { text.append(UInt8(ascii: " ")) }
    let count = UInt32(text.count).littleEndian
    let prefix = withUnsafeBytes(of: count) { Array($0) }
    return StudioResponse(type: "application/octet-stream", body: [prefix + text] + bodies)
  }

  private static func format(_ tap: Tap) -> String {
    switch tap {
    case .original, .composite: "rgb24"
    case .depth: "depth16"
    case .mask, .matte: "gray8"
    }
  }

  private static func why(_ setting: ViewSetting, _ answer: ViewAnswer) -> String {
    if let frame = answer.unreadFrame {
      return "Frame \(frame) cannot be read, and a replay of the range stops there. Press In on a frame after it."
    }
    let isPossible = answer.picture != nil || answer.history != nil
    let parameter = PipelineMemory(setting.parameters).parameter ?? ""
    return "With \(parameter), a picture depends on the frames before it, "
      + (isPossible
        ? "which are being computed."
        : "which are more than \(StudioView.longestHistory): mark a span that begins later.")
  }
}
