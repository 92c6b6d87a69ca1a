import Foundation
import FrameModel
import Support

/// `marks.json` in a recording's folder: which marks were removed or renamed. It is replaced as a whole.
package struct MarkChangeFile {
  package static let name = "marks.json"
  private static let format = "retake-marks-1"
  /// Above what the limits of `MarkChanges` allow, with every character escaped.
  private static let largestByteCount = 1 << 20

  private let file: FolderFile

  package init(_ folder: RecordingFolder) { file = FolderFile(folder: folder, name: Self.name) }

  private struct Members: Decodable {
    struct Change: Decodable {
      var label: String
      var presentationNs: Int64
      /// Nil for a mark that was removed.
      var newLabel: String?
    }
    var format: String
    var changes: [Change]
  }

  /// Empty without a file.
  /// - Throws: `.corrupt` for a file that is not valid.
  func read() throws(RetakeError) -> MarkChanges {
    guard let bytes = try file.read(limit: Self.largestByteCount) else { return MarkChanges() }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let members = try? decoder.decode(Members.self, from: Data(bytes)), members.format == Self.format,
      members.changes.count <= MarkChanges.countLimit
    else { throw unreadable }
    var labels: [Mark: String?] = [:]
    for change in members.changes {
      let time = PresentationTime(nanoseconds: change.presentationNs)
      guard let mark = try? Mark(label: change.label, presentation: time), Mark.isLabel(change.newLabel ?? "") else {
        throw unreadable
      }
      labels[mark] = .some(change.newLabel)
    }
    return MarkChanges(labels)
  }

  /// The caller must hold the folder's lock. Without changes there is no file.
  func write(_ changes: MarkChanges, on fileSystem: any FileSystem) throws(RetakeError) {
    guard !changes.labels.isEmpty else { return try file.remove(on: fileSystem) }
    let ordered = changes.labels.sorted {
      ($0.key.presentation.nanoseconds, $0.key.label) < ($1.key.presentation.nanoseconds, $1.key.label)
    }
    let json = JSONObject([
      "format": Self.format,
      "changes": ordered.map { mark, label in
        var change = JSONObject(["label": mark.label, "presentation_ns": Int(mark.presentation.nanoseconds)])
        if let label { change.add("new_label", label) }
        return change
      },
    ])
    try file.replace(with: json.text + "\n", on: fileSystem)
  }

  private var unreadable: RetakeError {
    RetakeError(
      .corrupt, "\(file.path) does not hold changes of marks that this version of Retake can read.",
      hint: "remove the file; all marks then are as they were set")
  }
}
