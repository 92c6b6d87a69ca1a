import Foundation
import FrameModel
import Kernels
import Support

/// `calibration.json` in a recording's folder: lenses and places that the user gave for its streams. It is
/// replaced as a whole; no other file is touched.
package struct CalibrationStore {
  package static let name = "calibration.json"
  private static let format = "retake-calibration-1"
  private static let largestByteCount = 1 << 16
  private static let largestStreamCount = 64

  private let file: FolderFile

  package init(_ folder: RecordingFolder) { file = FolderFile(folder: folder, name: Self.name) }

  private struct Members: Codable {
    struct Stream: Codable {
      var name: String
      var settings: [String: String]
    }
    var format: String
    var streams: [Stream]
  }

  package func exists() throws(RetakeError) -> Bool { try RecordingFolder.exists(file.path) }

  /// Nil without a file.
  func read() throws(RetakeError) -> StreamCalibrations? {
    let bytes: [UInt8]
    do throws(RetakeError) {
      guard let read = try file.read(limit: Self.largestByteCount) else { return nil }
      bytes = read
    } catch {
      throw error.code == .unsupported ? unreadable(error.message) : error
    }
    guard let members = try? JSONDecoder().decode(Members.self, from: Data(bytes)), members.format == Self.format,
      members.streams.count <= Self.largestStreamCount
    else { throw unreadable("it is not a calibration that this version of Retake can read") }
    var calibrations = StreamCalibrations()
    for stream in members.streams {
      guard stream.settings.keys.allSatisfy(StreamCalibrations.settingNames.contains) else {
        throw unreadable("it has settings that are none of a calibration")
      }
      calibrations.set(
        StreamCalibrations.settingNames.compactMap { name in stream.settings[name].map { .init(name, $0) } },
        of: stream.name)
    }
    return calibrations
  }

  /// The streams with what is stored.
  /// - Throws: `.corrupt` for a file that does not fit them.
  func applied(to streams: [StreamDescription]) throws(RetakeError) -> [StreamDescription] {
    guard let stored = try read() else { return streams }
    do throws(RetakeError) {
      return try stored.applied(to: streams)
    } catch {
      throw unreadable(error.message)
    }
  }

  private func unreadable(_ reason: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(file.path) cannot be used: \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason).",
      hint: "'retake calibrate \(file.folder.path) --remove-calibration' removes it")
  }

  /// - Throws: if a recorder is using the folder, or it cannot be written to.
  package func write(_ calibrations: StreamCalibrations, fileSystem: any FileSystem = RealFileSystem())
    throws(RetakeError)
  {
    let json = JSONObject([
      "format": Self.format,
      "streams": calibrations.streams.map { stream in
        JSONObject([
          "name": stream.name, "settings": JSONObject(pairs: stream.settings.map { ($0.name, $0.value) }),
        ])
      },
    ])
    try file.changing { () throws(RetakeError) in try file.replace(with: json.text + "\n", on: fileSystem) }
  }

  /// No error if there is none.
  /// - Throws: as `write`.
  package func remove(fileSystem: any FileSystem = RealFileSystem()) throws(RetakeError) {
    try file.changing { () throws(RetakeError) in try file.remove(on: fileSystem) }
  }
}
