import Foundation

/// A line after the header.
enum DigestRecord {
  case line(DigestLine)
  case footer(DigestFooter)

  private struct Members: Decodable {
    var frame: Int?
    /// The digests present, in the order of `DigestStage`.
    var digests: [String] = []
    var frames: Int?
    var all: String?
    var masks: String?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Name.self)
      frame = try values.decodeIfPresent(Int.self, forKey: Name("frame"))
      frames = try values.decodeIfPresent(Int.self, forKey: Name("frames"))
      all = try values.decodeIfPresent(String.self, forKey: Name("all"))
      masks = try values.decodeIfPresent(String.self, forKey: Name("masks"))
      for stage in DigestStage.allCases {
        if let digest = try values.decodeIfPresent(String.self, forKey: Name(stage.rawValue)) { digests.append(digest) }
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// More frames than any recording has.
  static let frameLimit = 1 << 40

  init?(_ bytes: [UInt8]) {
    guard let members = try? JSONDecoder().decode(Members.self, from: Data(bytes)) else { return nil }
    if let frame = members.frame {
      guard (0..<Self.frameLimit).contains(frame), members.digests.count == DigestStage.allCases.count,
        members.digests.allSatisfy({ $0 == DigestStage.none || $0.isDigest })
      else { return nil }
      self = .line(DigestLine(frame: frame, digests: members.digests))
    } else {
      guard let frames = members.frames, let all = members.all, (0..<Self.frameLimit).contains(frames), all.isDigest,
        members.masks?.isDigest ?? true
      else { return nil }
      self = .footer(DigestFooter(frames: frames, all: all, masks: members.masks))
    }
  }
}

extension String {
  /// Whether this is a formatted XXH3-128: 32 lower-case hexadecimal digits.
  var isDigest: Bool {
    utf8.count == 32
      && utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
