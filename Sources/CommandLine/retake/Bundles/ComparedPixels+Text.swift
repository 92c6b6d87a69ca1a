import Replay
import Support

extension ComparedPixels {
  var title: String { "\(place.stage.rawValue) of frame \(place.frame): \(shortText)" }

  private var shortText: String {
    switch finding {
    case .notReproduced, .absent: "nothing to compare"
    case .sizes: "sizes differ"
    case .difference(let difference):
      "\(difference.differingCount) of \(difference.pixelCount) pixels, most \(difference.maximum), "
        + "mean \(Self.thousandths(difference.meanThousandths))"
    }
  }

  var text: String {
    let what = "\(place.stage.rawValue) of frame \(place.frame)"
    switch finding {
    case .notReproduced(let sides):
      return sides.map { side, digest in
        let now = digest.map { "its digest is now \($0)" } ?? "the frame is now missing"
        return "\(what): this version of Retake, \(RetakeVersion.current), does not reproduce \(side): \(now)"
      }.joined(separator: "\n")
        + "\nso the size of the difference is unknown. A recording's faces and calibration may have changed since."
    case .absent(let side): return "\(what): missing in \(side)"
    case .sizes:
      guard let (a, b) = planes else { return what }
      return "\(what): A has \(a.width)x\(a.height) pixels, B \(b.width)x\(b.height)"
    case .difference(let difference):
      guard let box = difference.box, let unit = planes?.0.unit.rawValue else {
        return "\(what): the recorded bytes differ, their pixels do not"
      }
      let samples = [difference.maximumA, difference.maximumB].map {
        $0.map { "\($0)" }.joined(separator: ",")
      }
      return "\(what): \(difference.differingCount) of \(difference.pixelCount) pixels differ\n"
        + "  at most \(difference.maximum) \(unit), at x \(difference.maximumX), y \(difference.maximumY): "
        + "\(samples[0]) / \(samples[1])\n"
        + "  on average \(Self.thousandths(difference.meanThousandths)) \(unit)\n"
        + "  all in a box of \(box.width)x\(box.height) pixels, from x \(box.x), y \(box.y) on"
    }
  }

  var json: JSONObject {
    var object = JSONObject()
    switch finding {
    case .notReproduced(let sides): object.add("not_reproduced", sides.map { $0.side.lowercased() })
    case .absent(let side): object.add("absent", side.lowercased())
    case .sizes, .difference: break
    }
    guard let (a, b) = planes else { return object }
    object.add(["width": a.width, "height": a.height])
    guard case .difference(let difference) = finding else {
      object.add(["width_b": b.width, "height_b": b.height])
      return object
    }
    let box = difference.box
    object.add([
      "unit": a.unit.rawValue,
      "differing_pixels": difference.differingCount,
      "maximum": difference.maximum,
      "mean_thousandths": difference.meanThousandths,
      "maximum_x": box == nil ? nil : difference.maximumX,
      "maximum_y": box == nil ? nil : difference.maximumY,
      "box_x": box?.x,
      "box_y": box?.y,
      "box_width": box?.width,
      "box_height": box?.height,
    ])
    return object
  }

  private static func thousandths(_ value: Int) -> String { "\(value / 1000).\((value % 1000).zeroPadded(3))" }
}
