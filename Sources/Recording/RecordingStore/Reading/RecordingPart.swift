import Foundation
import Glibc
import Support

/// The position of a cut recording in the original, so that frame sets keep their numbers. Stored
/// in `part.json` in the recording's folder, which unpacking a bug bundle creates.
package struct RecordingPart: Hashable, Sendable {
  package static let fileName = "part.json"

  /// Number of the first frame set in the original recording.
  package var firstNumber: Int
  /// Frame sets to play by default. Those around them provide depth and faces that still apply.
  package var played: Range<Int>

  private static let largestByteCount = 4096
  private static let largestNumber = 1 << 42

  package init(firstNumber: Int, played: Range<Int>) {
    self.firstNumber = firstNumber
    self.played = played
  }

  package var text: String { "\(played.lowerBound) to \(max(played.lowerBound, played.upperBound - 1))" }

  package var json: JSONObject {
    var object = JSONObject()
    object.add("first_frame_set", firstNumber)
    object.add("first_played", played.lowerBound)
    object.add("played_count", played.count)
    return object
  }

  private struct Members: Decodable {
    var firstFrameSet: Int
    var firstPlayed: Int
    var playedCount: Int
  }

  /// - Returns: nil without a `part.json`.
  fileprivate init?(of folder: RecordingFolder) throws(RetakeError) {
    let path = folder.path + "/" + Self.fileName
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let numbers = 0...Self.largestNumber
    guard let members = try? decoder.decode(Members.self, from: Data(bytes)),
      numbers.contains(members.firstFrameSet), numbers.contains(members.playedCount),
      (members.firstFrameSet...Self.largestNumber).contains(members.firstPlayed)
    else {
      throw RetakeError(
        .corrupt, "\(path) is invalid: it must give the part of the original recording.",
        hint: "unpack the bundle again, or remove the file to number frame sets from 0")
    }
    firstNumber = members.firstFrameSet
    played = members.firstPlayed..<members.firstPlayed + members.playedCount
  }
}

extension Recording {
  /// Nil for a whole recording, and for one that `retake trim` made, which is numbered from 0.
  package func part() throws(RetakeError) -> RecordingPart? { try RecordingPart(of: folder) }

  /// The number by which users and digests refer to the first frame set: 0 except for a part.
  package func firstNumber() throws(RetakeError) -> Int { try part()?.firstNumber ?? 0 }
}
