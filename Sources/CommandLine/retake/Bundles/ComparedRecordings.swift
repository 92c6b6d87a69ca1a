import FrameModel
import RecordingStore
import Replay
import Support

struct ComparedRecordings {
  let a: Recording
  let b: Recording

  /// Matches recordings by the ids in the headers, and the rest by the order of `paths`, one or
  /// two. A wrong match is harmless, since the replay has to give the recorded digests.
  init(_ paths: [String], _ a: DigestFileReader, _ b: DigestFileReader, isQuiet: Bool) throws(RetakeError) {
    let recordings = try paths.map { path throws(RetakeError) in try Recording.opened(path, isQuiet: isQuiet) }
    let ids = (a: a.header.recording, b: b.header.recording)
    let last = recordings.count - 1
    // Copies of one recording share its id, so only their order tells them apart.
    let areCopies = last == 1 && recordings[0].identity.id == recordings[last].identity.id
    func index(_ id: String) -> Int? { areCopies ? nil : recordings.firstIndex { $0.identity.id == id } }
    var places = (a: index(ids.a) ?? 0, b: index(ids.b) ?? last)
    if index(ids.a) == nil, let found = index(ids.b) { places.a = last - found }
    if index(ids.b) == nil, let found = index(ids.a) { places.b = last - found }
    (self.a, self.b) = (recordings[places.a], recordings[places.b])
    guard !isQuiet else { return }
    for (reader, taken) in [(a, self.a), (b, self.b)] where reader.header.recording != taken.identity.id {
      Terminal.say(
        "\(reader.name) was made from recording \(reader.header.recording), but \(taken.folder.path) is recording "
          + "\(taken.identity.id). It is used anyway.")
    }
    if last == 1, places.a == places.b {
      Terminal.say("Both were made from \(self.a.folder.path); \(recordings[1 - places.a].folder.path) is not used.")
    }
  }
}
