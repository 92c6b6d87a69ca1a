import Foundation
import Support

/// `tags.json` in a recording's folder. It is replaced as a whole; no other file is touched.
package struct TagFile {
  package static let name = "tags.json"
  private static let format = "retake-tags-1"
  /// Above what the limits of `RecordingTags` allow, with every character escaped.
  private static let largestByteCount = 256 << 10

  private let file: FolderFile

  package init(_ folder: RecordingFolder) { file = FolderFile(folder: folder, name: Self.name) }

  /// Empty without a file.
  /// - Throws: `.corrupt` for a file that is not valid.
  package func read() throws(RetakeError) -> RecordingTags {
    guard let bytes = try file.read(limit: Self.largestByteCount) else { return RecordingTags() }
    guard let tags = RecordingTags(json: bytes, format: Self.format) else {
      throw RetakeError(
        .corrupt, "\(file.path) does not hold tags that this version of Retake can read.",
        hint: "'retake tag \(ShellWord.quoted(file.folder.path)) --clear' removes the file")
    }
    return tags
  }

  /// Changes the tags. A process that is killed, or a disk that fails, leaves the earlier tags or the
  /// new ones; two processes at once leave the changes of both.
  /// - Parameter clears: starts without the earlier tags and note, which may be unreadable.
  /// - Throws: if a recorder is using the folder, or it cannot be written to.
  @discardableResult
  package func change(
    clears: Bool = false, fileSystem: any FileSystem = RealFileSystem(),
    _ body: (inout RecordingTags) throws(RetakeError) -> Void
  ) throws(RetakeError) -> RecordingTags {
    try file.changing { () throws(RetakeError) in
      var tags = clears ? RecordingTags() : try read()
      try body(&tags)
      if tags.isEmpty {
        try file.remove(on: fileSystem)
      } else {
        try file.replace(with: Self.text(tags), on: fileSystem)
      }
      return tags
    }
  }
}

extension TagFile {
  /// The contents of a file.
  package static func text(_ tags: RecordingTags) -> String {
    JSONObject([
      "format": format, "tags": JSONObject(pairs: tags.tags.map { ($0.name, $0.value) }), "note": tags.note,
    ]).text + "\n"
  }
}

extension RecordingTags {
  private struct Members: Decodable {
    var format: String?
    var tags: [String: String]
    var note: String
  }

  /// - Parameter format: which format the object must name; nil for any.
  /// - Returns: nil for bytes that are not valid tags.
  package init?(json bytes: [UInt8], format: String? = nil) {
    guard let members = try? JSONDecoder().decode(Members.self, from: Data(bytes)),
      format == nil || members.format == format
    else { return nil }
    self.init()
    do throws(RetakeError) {
      for (name, value) in members.tags.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
      try setNote(members.note)
    } catch {
      return nil
    }
  }
}

extension Recording {
  /// - Throws: `.corrupt` for a file that is not valid.
  package func tags() throws(RetakeError) -> RecordingTags { try TagFile(folder).read() }
}
