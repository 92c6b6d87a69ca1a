import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// Makes the pictures of a report.
package struct ReportPictures {
  private let file: SweepResultsFile
  /// By id.
  private let moved: [String: Recording]
  private let open: (String) throws(RetakeError) -> Recording
  private let note: @Sendable (String) -> Void
  /// Limits the size of the page.
  private static let recordingLimit = 3
  /// Share of the picture that a person has at least.
  private static let leastArea = 0.005
  /// Scores for finding the hardest frame of a setting; the first that is available is used.
  private static let judges: [ScoreKind] = [.iou, .boundaryF, .edgeAlignment, .flicker]

  /// - Parameters:
  ///   - paths: of recordings that were moved after the sweep.
  ///   - open: opens a recording by its path.
  ///   - note: called with what the user should know.
  /// - Throws: `.usage` for a recording that is not of the sweep; what opening throws.
  package init(
    _ file: SweepResultsFile, moved paths: [String], open: @escaping (String) throws(RetakeError) -> Recording,
    note: @escaping @Sendable (String) -> Void
  ) throws(RetakeError) {
    (self.file, self.open, self.note) = (file, open, note)
    var moved: [String: Recording] = [:]
    for path in paths {
      let recording = try open(path)
      let id = try recording.sweepID()
      guard file.identity.recordings.contains(where: { $0.id == id }) else {
        throw RetakeError(
          .usage, "\(path) is not a recording of this sweep.",
          hint: "the sweep used \(file.identity.recordings.prefix(5).map(\.path).joined(separator: ", "))")
      }
      moved[id] = recording
    }
    self.moved = moved
  }

  /// Two frames of each recording: the one nearest to the middle that has a person, and the hardest for the best setting. Pictures
  /// that cannot be made are reported and left out.
  package func make(
    _ wanted: [(role: ReportPicture.Role, setting: Int)], threadCount: Int
  ) throws(RetakeError) -> [ReportPicture] {
    var pictures: [ReportPicture] = []
    for recording in file.identity.recordings.prefix(Self.recordingLimit) {
      do throws(RetakeError) {
        pictures += try make(wanted, of: recording, threadCount: threadCount)
      } catch {
        note("No pictures of \(recording.path): \(error.description)")
      }
    }
    return pictures
  }

  private func make(
    _ wanted: [(role: ReportPicture.Role, setting: Int)], of known: SweepIdentity.Recording, threadCount: Int
  ) throws(RetakeError) -> [ReportPicture] {
    let identity = file.identity
    let recording = try recording(known)
    var order = PlayOrder(frames: known.frames)
    order.every = known.every
    let frames = try frames(
      order, firstNumber: try recording.firstNumber(),
      RunKey(setting: wanted.first?.setting ?? 0, recording: known.number))
    let source = SweepSource(recording, path: known.path, order: order, truth: nil)
    var made: [Int: [SettingPictures]] = [:]
    for setting in Set(wanted.map(\.setting)).sorted() {
      do throws(RetakeError) {
        var parameters = ParameterSet(ReplaySession.declarations)
        for assignment in identity.settings[setting].parameters {
          try parameters.set(assignment.name, to: assignment.value)
        }
        made[setting] = try SettingPictures.make(
          source, preset: identity.preset, parameters, frames: frames, threadCount: threadCount,
          note: note)
      } catch {
        note("No pictures of setting \(setting): \(error.description)")
      }
    }
    return wanted.flatMap { role, setting in
      (made[setting] ?? []).map {
        ReportPicture(
          role: role, setting: setting, recording: known.number, frame: $0.frame, composite: $0.composite,
          matte: $0.matte)
      }
    }
  }

  /// Opens a recording at its new or its original path, or beside the results.
  private func recording(_ known: SweepIdentity.Recording) throws(RetakeError) -> Recording {
    if let recording = moved[known.id] { return recording }
    let recording: Recording
    do throws(RetakeError) {
      recording = try open(known.path)
    } catch {
      if let recording = beside(known) { return recording }
      throw RetakeError(error.code, error.message, hint: "give its new path with --recording")
    }
    guard try recording.sweepID() == known.id else {
      if let recording = beside(known) { return recording }
      throw RetakeError(
        .notFound, "its path now has another recording, or one with another alignment.",
        hint: "give the new path of the sweep's recording with --recording")
    }
    return recording
  }

  /// The recording at its path from the results' folder, or in that folder: paths are those of the folder of the sweep.
  private func beside(_ known: SweepIdentity.Recording) -> Recording? {
    let folder = Folder.withoutTrailingSlash(Folder.parent(of: file.path))
    let name = known.path.split(separator: "/").last.map(String.init) ?? known.path
    for path in [known.path, name] where !path.hasPrefix("/") {
      guard let recording = try? open("\(folder)/\(path)") else { continue }
      if (try? recording.sweepID()) == known.id { return recording }
    }
    return nil
  }

  private func frames(_ order: PlayOrder, firstNumber: Int, _ best: RunKey) throws(RetakeError) -> Set<Int> {
    let scored = try file.frames(best)
    let half = order.number(at: order.countOfOnePass / 2) + firstNumber
    // Where nobody is, pictures show nothing of a setting: where a face is known, or else where there is a matte.
    let withFace = scored.filter { $0.scores[.faceCoverage] != nil }
    let peopled = (withFace.isEmpty ? scored.filter { ($0.scores[.area] ?? 1) > Self.leastArea } : withFace).map(
      \.number)
    let middle = peopled.min { (abs($0 - half), $0) < (abs($1 - half), $1) } ?? half
    for judge in Self.judges {
      let worth = scored.compactMap { frame in frame.scores[judge].map { (frame.number, $0) } }
      let hardest = worth.max { judge.preference == .higher ? $0.1 > $1.1 : $0.1 < $1.1 }
      if let hardest { return [middle, hardest.0] }
    }
    return [middle]
  }
}
