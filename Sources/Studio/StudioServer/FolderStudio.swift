import Dispatch
import NIOHTTP1
import RecordingStore
import StudioViews
import Support
import Synchronization

/// A page that lists the recordings of a folder, and for each the page of its own at "/r/NUMBER/".
package final class FolderStudio: StudioService {
  package static let recordingLimit = 1000
  private static let prefix = "/r/"

  private let paths: [String]
  private let folder: String
  private let start: ViewSetting
  private let backgrounds: [String]
  private let page: PageFiles
  private let pageFolder: String?
  private let open: @Sendable (String) throws(RetakeError) -> Recording
  /// Those that were asked lately, the latest last: each keeps pictures in memory.
  private let studios = Mutex<[(number: Int, studio: RecordingStudio)]>([])
  private static let openLimit = 4
  private let queue = DispatchQueue(label: "retake.folder")
  private let sweepTurn = SweepTurn()

  /// - Parameters:
  ///   - open: opens a recording, and repairs it if that is needed.
  ///   - others: as `RecordingStudio.init` takes them.
  /// - Throws: `.notFound` for a folder without recordings.
  package init(
    _ folder: String, start: ViewSetting, backgrounds: [String], pageFolder: String? = nil,
    open: @escaping @Sendable (String) throws(RetakeError) -> Recording
  ) throws(RetakeError) {
    (self.folder, self.start, self.backgrounds, self.open) = (folder, start, backgrounds, open)
    paths = try Self.recordings(in: folder)
    guard !paths.isEmpty else {
      throw RetakeError(
        .notFound, "\(folder) is no recording and has none in it.", hint: "give a folder that 'retake record' made")
    }
    self.pageFolder = pageFolder
    page = try PageFiles(folder: pageFolder)
  }

  /// Whether a path is a folder with recordings in it, and none itself.
  package static func isOfRecordings(_ path: String) -> Bool {
    guard let names = try? Folder.names(in: path), !names.contains("chunks") else { return false }
    return (try? !recordings(in: path).isEmpty) ?? false
  }

  /// Recordings in a folder and in its subfolders, in the order of their paths.
  private static func recordings(in folder: String) throws(RetakeError) -> [String] {
    var found: [String] = []
    func look(_ path: String, depth: Int) {
      guard found.count < recordingLimit, let names = try? Folder.names(in: path) else { return }
      if names.contains("chunks") { return found.append(path) }
      guard depth > 0 else { return }
      for name in names where !name.hasPrefix(".") { look("\(path)/\(name)", depth: depth - 1) }
    }
    _ = try Folder.names(in: folder)
    look(folder, depth: 2)
    return found
  }

  package func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
    guard let (number, inner) = Self.split(path) else { return RequestHandler.usualBodyLimit }
    // One that is not open has to be opened first, on another thread.
    return studios.withLock { $0.first { $0.number == number }?.studio.bodyLimit(method, inner) }
      ?? RecordingStudio.largestBodyLimit(method, inner)
  }

  package func answer(_ request: StudioRequest, reply: @escaping RecordingStudio.Reply) {
    queue.async { [self] in
      do throws(RetakeError) {
        try route(request, reply)
      } catch {
        reply(StudioResponse(error))
      }
    }
  }

  private func route(_ request: StudioRequest, _ reply: @escaping RecordingStudio.Reply) throws(RetakeError) {
    if let (number, inner) = Self.split(request.path) {
      guard paths.indices.contains(number) else { return reply(.notFound(request.path)) }
      var request = request
      request.path = inner
      return try studio(number).answer(request, reply: reply)
    }
    switch (request.method, request.path) {
    case (.GET, "/"): reply(page.response("/list.html") ?? .notFound(request.path))
    case (.GET, "/api/list"): reply(.json(list()))
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

  private func studio(_ number: Int) throws(RetakeError) -> RecordingStudio {
    var studio = studios.withLock { $0.first { $0.number == number }?.studio }
    if studio == nil {
      studio = try RecordingStudio(
        try open(paths[number]), start: start, backgrounds: backgrounds, pageFolder: pageFolder, sweepTurn: sweepTurn)
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
      "recordings": paths.enumerated().map { number, path in
        do throws(RetakeError) {
          return try Self.facts(number, path, Recording(path: path))
        } catch {
          return JSONObject(["number": number, "path": path, "problem": error.description])
        }
      },
    ])
  }

  private static func facts(_ number: Int, _ path: String, _ recording: Recording) throws(RetakeError) -> JSONObject {
    let summary = try recording.summary()
    return JSONObject([
      "number": number, "path": path, "frameCount": summary.frameSetCount, "firstNumber": try recording.firstNumber(),
      "durationSeconds": summary.durationSeconds, "byteCount": summary.storedByteCount,
      "streams": recording.streams.map {
        JSONObject([
          "name": $0.name, "format": $0.layout.format.rawValue, "width": $0.layout.width, "height": $0.layout.height,
        ])
      },
      "lossCount": summary.losses.reduce(0) { $0 + $1.count }, "markCount": try recording.marks().count,
      "faceFrameCount": summary.faceFrameCount, "isClosed": recording.isClosed,
    ])
  }
}
