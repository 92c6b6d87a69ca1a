import Foundation
import FrameModel
import Replay
import Support

/// `bundle.json`: what a bundle is of. It names no file outside of the bundle.
package struct BundleDescription: Sendable {
  package static let formatVersion = 1

  /// What is behind the person.
  package enum Background: String, Sendable {
    case none
    /// A picture or a video.
    case file
    case recording
  }

  /// Of the Retake that made it.
  package var version: String
  /// What is to be replayed, and of what: as in the first line of the expectation.
  package var replay: DigestHeader
  /// The id of the recording that the part was cut out of.
  package var source: String
  package var background: Background
  /// Of the expectation's bytes, XXH3-128.
  package var expectationDigest: String
  /// What was taken out or made unrecognisable for the sake of somebody's privacy, in sentences.
  package var removed: [String]
  package var note: String
  /// The machine that the expectation was made on.
  package var environment: BundleEnvironment

  package init(
    version: String = RetakeVersion.current, replay: DigestHeader, source: String, background: Background,
    expectationDigest: String, removed: [String] = [], note: String = "", environment: BundleEnvironment
  ) {
    self.version = version
    self.replay = replay
    self.source = source
    self.background = background
    self.expectationDigest = expectationDigest
    self.removed = removed
    self.note = note
    self.environment = environment
  }

  /// The key of the masks of a network; nil without one.
  package var maskKey: String? { replay.masks == DigestStage.none ? nil : replay.masks }

  package var json: JSONObject {
    var object = JSONObject()
    object.add("format_version", Self.formatVersion)
    object.add("version", version)
    object.add("note", note)
    object.add("removed", removed)
    object.add("source", source)
    object.add("background", background.rawValue)
    object.add("expected_digest", expectationDigest)
    object.add("replay", replay.json)
    object.add("environment", environment.json)
    return object
  }

  private struct Members: Decodable {
    var version: String
    var note: String
    var removed: [String]
    var source: String
    var background: String
    var expectedDigest: String
    var environment: [String: String]

    private enum CodingKeys: String, CodingKey {
      case version, note, removed, source, background, environment
      case expectedDigest = "expected_digest"
    }
  }

  /// - Parameter name: of the bundle.
  /// - Throws: `.corrupt` for what is no description.
  init(_ bytes: [UInt8], of name: String) throws(RetakeError) {
    let failure = RetakeError(
      .corrupt, "\(name): its \(BundlePart.description.name) is not what describes a bundle.",
      hint: "ask whoever made it to make it again")
    let data = Data(bytes)
    guard let members = try? JSONDecoder().decode(Members.self, from: data),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let replay = object["replay"] as? [String: Any], let line = try? JSONSerialization.data(withJSONObject: replay),
      let background = Background(rawValue: members.background)
    else { throw failure }
    self.init(
      version: members.version,
      replay: try DigestFileReader(name: "\(name): \(BundlePart.description.name)", bytes: Array(line)).header,
      source: members.source, background: background, expectationDigest: members.expectedDigest,
      removed: members.removed, note: members.note, environment: BundleEnvironment(members.environment))
    guard replayIsBounded else { throw failure }
  }

  /// Whether an expectation of so many lines can be of so many passes: a few bytes would ask for years of work otherwise.
  /// The first pass is as long as the recording that is there; of those after it one frame in a hundred has to have come out.
  func canEnd(withLineCount lineCount: Int) -> Bool {
    guard let passes = replay.order.passCount else { return false }
    let (count, isTooLarge) = replay.order.countOfOnePass.multipliedReportingOverflow(by: passes - 1)
    return !isTooLarge && count / 100 <= lineCount
  }

  /// A replay that never ends cannot be held against an expectation.
  private var replayIsBounded: Bool {
    guard let count = replay.frameCount, let passes = replay.order.passCount else { return false }
    return count > 0 && passes > 0 && replay.order.frames.upperBound < Int.max
  }
}
