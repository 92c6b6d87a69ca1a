import BugBundles
import Foundation
import RecordingStore
import Replay
import StudioViews
import Support

/// Makes a bundle for a browser to save. Only the browser writes a file that stays.
struct BundleDownload {
  /// The page holds it in memory.
  private static let byteLimit = 1 << 30

  /// What 'retake bundle' says of a bundle, as JSON, percent-encoded.
  private static let report = "X-Retake-Bundle"
  private static let damageLimit = 20

  /// Opened for the bundle, so that it has the marks as they are.
  let recording: Recording
  let firstNumber: Int

  /// - Throws: as `BundleMaker.run`; `.unsupported` for a bundle that is too large for a page.
  func response(
    _ question: Question.Bundle, _ setting: ViewSetting, _ span: ViewSpan
  ) throws(RetakeError) -> StudioResponse {
    let folder = try ScratchFolder(named: "retake-studio")
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("bundle.retake-bundle")
    let frames = span.frames.lowerBound - firstNumber..<span.frames.upperBound - firstNumber
    let request = ReplayRequest(
      preset: setting.preset, parameters: setting.parameters, order: PlayOrder(frames: frames),
      firstNumber: firstNumber)
    var maker = BundleMaker()
    maker.note = question.note ?? ""
    maker.rules = question.rules
    let report = try maker.run(recording, request, to: path)
    guard report.byteCount <= Self.byteLimit else {
      throw RetakeError(
        .unsupported, "The bundle has \(report.byteCount >> 20) MiB, which is too much for a page.",
        hint: "mark a shorter span, or use 'retake bundle'")
    }
    var response = StudioResponse(
      type: "application/octet-stream", body: [try FileBytes.read(path, limit: Self.byteLimit)])
    response.headers = [
      ("Content-Disposition", "attachment; filename=\"bug.retake-bundle\""),
      // Beside the bytes; a header has neither line breaks nor other than ASCII.
      (Self.report, Self.json(report).text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""),
    ]
    return response
  }

  private static func json(_ report: BundleMaker.Report) -> JSONObject {
    JSONObject([
      "frames": report.frameCount, "beside": report.besideCount, "pictures": report.pictureCount,
      "removed": report.removed, "remains": report.remainder, "damage": Array(report.damage.prefix(damageLimit)),
    ])
  }
}
