import ChunkFormat
import RecordingStore

/// The parts of a bundle. Other names are rejected, so none leads out of the unpacking folder.
package enum BundlePart: Hashable, Sendable {
  case description
  case note
  /// The description's parameters again, for `retake replay --parameters` and for people.
  case parameters
  case expectation
  case chunkFile(Int)
  /// A file of a network's masks, in a folder named `key`.
  case mask(key: String, Int)
  case background
  case backgroundChunkFile(Int)
  /// The file of an empty scene.
  case plate

  /// About five hours of 2 s files. A bundle is for an incident, not for longer recordings.
  package static let fileNumberLimit = 10_000

  package init?(name: String) {
    switch name {
    case "bundle.json": self = .description
    case "note.txt": self = .note
    case "parameters.yaml": self = .parameters
    case "expected.jsonl": self = .expectation
    case "background/file": self = .background
    case "plate.retake-plate": self = .plate
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

  package var name: String {
    switch self {
    case .description: "bundle.json"
    case .note: "note.txt"
    case .parameters: "parameters.yaml"
    case .expectation: "expected.jsonl"
    case .chunkFile(let number): "chunks/" + RecordingFolder.chunkFileName(number)
    case .mask(let key, let number): "masks/\(key)/" + RecordingFolder.chunkFileName(number)
    case .background: "background/file"
    case .plate: "plate.retake-plate"
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
    case .background, .plate: "application/octet-stream"
    }
  }

  /// Checked by both writer and reader.
  var byteCountLimit: Int {
    switch self {
    case .description: 2 << 20
    case .note: Self.noteByteCountLimit
    case .parameters: 256 << 10
    case .expectation, .chunkFile, .mask, .background, .backgroundChunkFile, .plate: Self.largestByteCount
    }
  }

  package static let noteByteCountLimit = 64 << 10
  /// A reader holds one part in memory. The rest of the longest MCAP record is for names and times.
  package static let largestByteCount = MCAP.largestRecordByteCount - (1 << 20)

  private static func fileNumber(_ name: String) -> Int? {
    guard name.hasSuffix(".mcap"), let number = Int(name.dropLast(".mcap".count)),
      (0..<fileNumberLimit).contains(number), RecordingFolder.chunkFileName(number) == name
    else { return nil }
    return number
  }

  /// The format of `MaskIdentity.key`: 32 lower-case hexadecimal digits.
  static func isKey(_ text: String) -> Bool {
    text.utf8.count == 32 && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
  }
}
