import Foundation
import Support

/// The page's questions for settings in files: those that were named on the command line, and those that the person
/// chooses on the page, whose bytes the browser sends.
enum OpenQuestions {
  private static let (named, chosen) = ("/api/opened", "/api/open")
  static let paths: Set = [named, chosen]
  private static let nameLimit = 120

  private struct Named: Decodable {
    var file: Int
  }

  /// Nil for other paths.
  static func bodyLimit(_ path: String) -> Int? { path == chosen ? OpenedFile.byteLimit : nil }

  static func answer(_ request: StudioRequest, _ settings: SettingReader) throws(RetakeError) -> JSONObject {
    guard request.path == named else {
      return try OpenedFile(request.body, name: name(request.query["name"])).json(settings)
    }
    let place = try Question.read(Named.self, request.body).file
    guard settings.opened.indices.contains(place) else {
      throw RetakeError(.notFound, "There is no such file.", hint: "start 'retake studio' with --open FILE")
    }
    return settings.opened[place].json(settings)
  }

  /// What errors call a file that was sent.
  private static func name(_ given: String?) -> String {
    let name = (given?.removingPercentEncoding ?? "").filter { !$0.isNewline && $0 != "/" && $0 != "\0" }
    return name.isEmpty ? "The file" : String(name.prefix(nameLimit))
  }
}
