import Foundation
import FrameModel
import RecordingStore
import Replay
import Support

/// The contents of `bundle.json`. Names no file outside the bundle.
package struct BundleDescription: Sendable {
  package static let formatVersion = 1

  package enum Background: String, Sendable {
    case none
    /// A picture or a video.
    case file
    case recording
  }

  package var version: String
  /// The replay and its recording, as in the first line of the expected digests.
  package var replay: DigestHeader
  /// Id of the original recording.
  package var source: String
  package var background: Background
  /// XXH3-128 of the expected digests' bytes.
  package var expectationDigest: String
  /// Sentences about what was removed or made unrecognisable for privacy.
  package var removed: [String]
  package var note: String
  package var environment: BundleEnvironment
  /// The recording's tags and note; empty if privacy options left them out.
  package var tags: RecordingTags

  package init(
    version: String = RetakeVersion.current, replay: DigestHeader, source: String, background: Background,
    expectationDigest: String, removed: [String] = [], note: String = "", environment: BundleEnvironment,
    tags: RecordingTags = RecordingTags()
  ) {
    self.version = version
    self.replay = replay
    self.source = source
    self.background = background
    self.expectationDigest = expectationDigest
    self.removed = removed
    self.note = note
    self.environment = environment
    self.tags = tags
  }

  /// Key of the network's masks; nil without a network.
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
    if !tags.isEmpty { object.add("recording_tags", tags.json) }
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
  }

  /// - Throws: `.unsupported` for a later format, `.corrupt` for anything else than a description.
  init(_ bytes: [UInt8], of name: String) throws(RetakeError) {
    let failure = RetakeError(
      .corrupt, "\(name): its \(BundlePart.description.name) is not a valid description of a bundle.",
      hint: "ask the sender to make it again")
    let data = Data(bytes)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    // Before all else, since a later format may have other members.
    guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let formatVersion = object["format_version"] as? Int, formatVersion > 0
    else { throw failure }
    try BundleFormat.check(version: formatVersion, of: name)
    guard let members = try? decoder.decode(Members.self, from: data),
      let replay = object["replay"] as? [String: Any], let line = try? JSONSerialization.data(withJSONObject: replay),
      let background = Background(rawValue: members.background),
      let tags = Self.tags(object["recording_tags"])
    else { throw failure }
    self.init(
      version: members.version,
      replay: try DigestFileReader(name: "\(name): \(BundlePart.description.name)", bytes: Array(line)).header,
      source: members.source, background: background, expectationDigest: members.expectedDigest,
      removed: members.removed, note: members.note, environment: BundleEnvironment(members.environment),
      tags: tags)
    guard replayIsBounded else { throw failure }
  }

  /// - Returns: nil for a value that is no valid tags; empty ones without a value.
  private static func tags(_ value: Any?) -> RecordingTags? {
    guard let value else { return RecordingTags() }
    guard let object = value as? [String: Any], let data = try? JSONSerialization.data(withJSONObject: object) else {
      return nil
    }
    return RecordingTags(json: Array(data))
  }

  /// Whether there are enough expected digests for the passes; a few bytes could ask for years of
  /// work. The recording bounds the first pass; later ones need digests of one frame in a hundred.
  func canEnd(withLineCount lineCount: Int) -> Bool {
    guard let passes = replay.order.passCount else { return false }
    let (count, isTooLarge) = replay.order.countOfOnePass.multipliedReportingOverflow(by: passes - 1)
    return !isTooLarge && count / 100 <= lineCount
  }

  /// An endless replay cannot be compared with expected digests.
  private var replayIsBounded: Bool {
    guard let count = replay.frameCount, let passes = replay.order.passCount else { return false }
    return count > 0 && passes > 0 && replay.order.frames.upperBound < Int.max
  }
}
