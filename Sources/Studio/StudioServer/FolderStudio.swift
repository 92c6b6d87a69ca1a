import Dispatch
import NIOHTTP1
import RecordingStore
import StudioViews
import Support
import Synchronization

/// A page that lists recordings, of a folder or named one by one, and for each the page of its own at "/r/NUMBER/".
package final class FolderStudio: StudioService {
  package static let recordingLimit = 1000
  static let prefix = "/r/"

  private let paths: Mutex<[String]>
  /// Folders and recordings that `paths` are in.
  private let places: [String]
  private let folder: String
  private let start: ViewSetting
  private let files: NamedFiles
  private let page: PageFiles
  private let pageFolder: String?
  private let home: String
  private let open: @Sendable (String) throws(RetakeError) -> Recording
  /// Those that were asked lately, the latest last: each keeps pictures in memory.
  private let studios = Mutex<[(number: Int, studio: RecordingStudio)]>([])
  private static let openLimit = 4
  /// Labels that the list names of a recording.
  private static let shownMarkLimit = 20
  private let queue = DispatchQueue(label: "retake.folder")
  private let sweepTurn = SweepTurn()

  /// - Parameters:
  ///   - places: recordings, or folders of recordings.
  ///   - open: opens a recording, and repairs it if that is needed.
  ///   - others: as `RecordingStudio.init` takes them.
  /// - Throws: `.notFound` for folders without recordings.
  package init(
    _ places: [String], start: ViewSetting, files: NamedFiles, pageFolder: String? = nil,
    open: @escaping @Sendable (String) throws(RetakeError) -> Recording
  ) throws(RetakeError) {
    folder = places.count == 1 ? places[0] : "\(places.count) recordings"
    (self.start, self.files, self.open, self.places) = (start, files, open, places)
    var paths: [String] = []
    for place in places {
      let rest = Self.recordingLimit - paths.count
      if rest > 0 { paths += try RecordingTree.recordings(in: place, limit: rest).map(\.path) }
    }
    self.paths = Mutex(paths)
    home = "list"
    guard !paths.isEmpty else {
      throw RetakeError(
        .notFound, "\(folder) is no recording and has none in it.", hint: "give a folder that 'retake record' made")
    }
    self.pageFolder = pageFolder
    page = try PageFiles(folder: pageFolder)
  }

  /// Pages of recordings that come one by one, without a list.
  /// - Parameter home: what they are reached from; see `SessionAnswer`.
  init(
    home: String, start: ViewSetting, files: NamedFiles, pageFolder: String?,
    open: @escaping @Sendable (String) throws(RetakeError) -> Recording
  ) throws(RetakeError) {
    paths = Mutex([])
    places = []
    (folder, self.home) = ("", home)
    (self.start, self.files, self.open, self.pageFolder) = (start, files, open, pageFolder)
    page = try PageFiles(folder: pageFolder)
  }

  /// - Returns: the recording's number.
  func add(_ path: String) -> Int {
    paths.withLock { paths in
      paths.append(path)
      return paths.count - 1
    }
  }

  /// Whether a path is a folder with recordings in it, and none itself.
  package static func isOfRecordings(_ path: String) -> Bool {
    guard let found = try? RecordingTree.recordings(in: path, limit: 1).first else { return false }
    return found.path != path
  }

  package var isSweeping: Bool { studios.withLock { $0 }.contains { $0.studio.isSweeping } }

  package func finish() { for each in studios.withLock({ $0 }) { each.studio.finish() } }

  package func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
    guard let (number, inner) = Self.split(path) else { return RequestHandler.usualBodyLimit }
    // One that is not open has to be opened first, on another thread.
    return studios.withLock { $0.first { $0.number == number }?.studio.bodyLimit(method, inner) }
      ?? RecordingStudio.largestBodyLimit(method, inner)
  }

  package func answer(_ request: StudioRequest, reply: @escaping RecordingStudio.Reply) {
    queue.answer(reply) { [self] () throws(RetakeError) in try route(request, reply) }
  }

  private func route(_ request: StudioRequest, _ reply: @escaping RecordingStudio.Reply) throws(RetakeError) {
    if let (number, inner) = Self.split(request.path) {
      guard let path = paths.withLock({ $0.indices.contains(number) ? $0[number] : nil }) else {
        return reply(.notFound(request.path))
      }
      var request = request
      request.path = inner
      do throws(RetakeError) {
        return try studio(number, path).answer(request, reply: reply)
      } catch {
        // Its page reports the error, and leads back.
        guard let file = page.answer(request) else { throw error }
        return reply(file)
      }
    }
    switch (request.method, request.path) {
    case (.GET, "/"): reply(page.response("/list/list.html") ?? .notFound(request.path))
    case (.GET, "/api/list"): reply(.json(list()))
    case (.POST, "/api/find"): reply(.json(try find(Question.read(Question.Find.self, request.body).query)))
    case (.GET, let path): reply(page.response(path) ?? .notFound(path))
    default: reply(.wrongMethod)
    }
  }

  /// "/r/3/main.js" as 3 and "/main.js".
  private static func split(_ path: String) -> (number: Int, inner: String)? {
    guard path.hasPrefix(prefix) else { return nil }
    let parts = path.dropFirst(prefix.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    return (number, "/" + parts[1])
  }

  private func studio(_ number: Int, _ path: String) throws(RetakeError) -> RecordingStudio {
    var studio = studios.withLock { $0.first { $0.number == number }?.studio }
    if studio == nil {
      studio = try RecordingStudio(
        try open(path), start: start, files: files, pageFolder: pageFolder, home: home,
        sweepTurn: sweepTurn)
    }
    guard let studio else { preconditionFailure("it was opened") }
    studios.withLock { studios in
      studios.removeAll { $0.number == number }
      studios.append((number, studio))
      // One that sweeps stays, so that its page finds it again.
      if studios.count > Self.openLimit, let idle = studios.firstIndex(where: { !$0.studio.isSweeping }) {
        studios.remove(at: idle)
      }
    }
    return studio
  }

  private func list() -> JSONObject {
    JSONObject([
      "version": RetakeVersion.current, "folder": folder,
      "name": places.count == 1 ? Folder.absolute(folder).split(separator: "/").last.map(String.init) : folder,
      "recordings": paths.withLock { $0 }.enumerated().map { number, path in
        Self.facts(number, CatalogueEntry.read(path))
      },
    ])
  }

  /// The numbers of the recordings that 'retake find' prints.
  private func find(_ query: String) throws(RetakeError) -> JSONObject {
    let query = try CatalogueQuery(query)
    let numbers = Dictionary(paths.withLock { $0 }.enumerated().map { (Self.plain($1), $0) }) { first, _ in first }
    let catalogue = try RecordingCatalogue()
    var found: [Int] = []
    for place in places {
      let paths = try catalogue.paths(in: place, matching: query) { _, _ in }
      found += paths.compactMap { numbers[Self.plain($0)] }
    }
    return JSONObject(["found": found])
  }

  /// A path without slashes that mean nothing.
  private static func plain(_ path: String) -> String {
    (path.hasPrefix("/") ? "/" : "") + path.split(separator: "/").joined(separator: "/")
  }

  private static func facts(_ number: Int, _ entry: CatalogueEntry) -> JSONObject {
    guard !entry.id.isEmpty else {
      return JSONObject(["number": number, "path": entry.path, "state": entry.state.rawValue, "problem": entry.problem])
    }
    return JSONObject([
      "number": number, "path": entry.path, "frameCount": entry.frameSetCount, "firstNumber": entry.firstNumber,
      "durationSeconds": Double(entry.durationNanoseconds) / 1e9, "byteCount": entry.byteCount,
      "streams": entry.streams.map {
        JSONObject(["name": $0.name, "format": $0.format, "width": $0.width, "height": $0.height])
      },
      "startSeconds": entry.startNanoseconds == 0 ? nil : Double(entry.startNanoseconds) / 1e9,
      "tags": entry.tags.tags.map(\.text), "note": entry.tags.note,
      "lossCount": entry.lossCount, "markCount": entry.marks.count,
      "marks": Array(entry.marks.filter { !$0.isEmpty }.prefix(shownMarkLimit)),
      "faceFrameCount": entry.faceFrameCount,
      "state": entry.state.rawValue, "problem": entry.problem,
    ])
  }
}
