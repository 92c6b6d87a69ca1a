import Foundation
import Support

/// `alignment.json` in a recording's folder. It is replaced as a whole; no other file is touched.
package struct AlignmentFile {
  package static let name = "alignment.json"
  private static let format = "retake-alignment-1"
  private static let largestByteCount = 4096

  private let file: FolderFile

  package init(_ folder: RecordingFolder) { file = FolderFile(folder: folder, name: Self.name) }

  private struct Members: Codable {
    var format: String
    /// Thousandths of a depth pixel, as the next two.
    var shiftX: Int
    var shiftY: Int
    var uncertainty: Int
    var frames: Int
  }

  /// Nil without a file.
  func read() throws(RetakeError) -> ColorAlignment? {
    guard let bytes = try file.read(limit: Self.largestByteCount) else { return nil }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let members = try? decoder.decode(Members.self, from: Data(bytes))
    let alignment = members.map {
      ColorAlignment(x: $0.shiftX, y: $0.shiftY, uncertainty: $0.uncertainty, frameCount: $0.frames)
    }
    guard let alignment, alignment.isPossible, members?.format == Self.format else {
      throw RetakeError(
        .corrupt, "\(file.path) is not an alignment that this version of Retake can read.",
        hint: "'retake calibrate \(file.folder.path)' writes it again, with --remove it removes it")
    }
    return alignment
  }

  /// Stores an alignment. A process that is killed, or a disk that fails, leaves the earlier one or
  /// the new one.
  /// - Throws: if a recorder is using the folder, or it cannot be written to.
  package func write(_ alignment: ColorAlignment, fileSystem: any FileSystem = RealFileSystem()) throws(RetakeError) {
    let json = JSONObject([
      "format": Self.format, "shift_x": alignment.x, "shift_y": alignment.y, "uncertainty": alignment.uncertainty,
      "frames": alignment.frameCount,
    ])
    try file.changing { () throws(RetakeError) in try file.replace(with: json.text + "\n", on: fileSystem) }
  }

  /// Removes the file; no error if there is none.
  /// - Throws: as `write`.
  func remove(fileSystem: any FileSystem = RealFileSystem()) throws(RetakeError) {
    try file.changing { () throws(RetakeError) in try file.remove(on: fileSystem) }
  }
}
