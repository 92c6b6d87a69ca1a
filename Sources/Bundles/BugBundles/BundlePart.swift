import ChunkFormat
import FrameModel
import RecordingStore

/// What a bundle may hold. There is nothing else: a name that is none of these is refused, so no name can lead out of the
/// folder that a bundle is unpacked into.
package enum BundlePart: Hashable, Sendable {
  /// What the bundle is of: `BundleDescription`.
  case description
  /// What the person says who made it.
  case note
  /// The same parameters as in the description, for `retake replay --parameters` and for people.
  case parameters
  /// The digests of the replay as it was.
  case expectation
  /// Of the recording.
  case chunkFile(Int)
  /// Of the masks of a network, kept under the key that they have beside the recording.
  case mask(key: String, Int)
  /// A picture or a video.
  case background
  /// Of a recording as background.
  case backgroundChunkFile(Int)

  /// Five hours of files of two seconds: a part of a recording that is longer is no incident.
  package static let fileNumberLimit = 10_000

  /// - Returns: nil for a name that no part has.
  package init?(name: String) {
    switch name {
    case "bundle.json": self = .description
    case "note.txt": self = .note
    case "parameters.yaml": self = .parameters
    case "expected.jsonl": self = .expectation
    case "background/file": self = .background
    default:
      let words = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard let last = words.last, let number = Self.fileNumber(last) else { return nil }
      switch words.dropLast() {
      case ["chunks"]: self = .chunkFile(number)
      case ["background", "chunks"]: self = .backgroundChunkFile(number)
      case let folders where folders.count == 2 && folders[0] == "masks" && Self.isKey(folders[1]):
        self = .mask(key: folders[1], number)
      default: return nil
      }
    }
  }

  /// In the bundle.
  package var name: String {
    switch self {
    case .description: "bundle.json"
    case .note: "note.txt"
    case .parameters: "parameters.yaml"
    case .expectation: "expected.jsonl"
    case .chunkFile(let number): "chunks/" + RecordingFolder.chunkFileName(number)
    case .mask(let key, let number): "masks/\(key)/" + RecordingFolder.chunkFileName(number)
    case .background: "background/file"
    case .backgroundChunkFile(let number): "background/chunks/" + RecordingFolder.chunkFileName(number)
    }
  }

  var mediaType: String {
    switch self {
    case .description: "application/json"
    case .note: "text/plain"
    case .parameters: "application/yaml"
    case .expectation: "application/jsonl"
    case .chunkFile, .mask, .backgroundChunkFile: "application/mcap"
    case .background: "application/octet-stream"
    }
  }

  /// Longer ones are refused, by who writes a bundle and by who reads one.
  var byteCountLimit: Int {
    switch self {
    case .description: 2 << 20
    case .note: Self.noteByteCountLimit
    case .parameters: 256 << 10
    case .expectation, .chunkFile, .mask, .background, .backgroundChunkFile: Self.largestByteCount
    }
  }

  package static let noteByteCountLimit = 64 << 10
  /// A reader holds one part in memory; names and times need some of the longest record that is read.
  package static let largestByteCount = MCAP.largestRecordByteCount - (1 << 20)

  private static func fileNumber(_ name: String) -> Int? {
    guard name.hasSuffix(".mcap"), let number = Int(name.dropLast(".mcap".count)),
      (0..<fileNumberLimit).contains(number), RecordingFolder.chunkFileName(number) == name
    else { return nil }
    return number
  }

  /// As `MaskIdentity.key` is written: 32 lower-case hexadecimal digits.
  static func isKey(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
