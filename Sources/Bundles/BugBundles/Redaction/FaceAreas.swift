import FrameModel
import RecordingStore
import Support

/// The areas of a stream's frames that may show faces, from the index. For queries in frame order.
struct FaceAreas {
  private let recording: Recording
  private let stream: Int
  /// Whether frames without a message were examined: the device reports only those with faces.
  private let isSilenceALook: Bool
  private var page: (first: Int, areas: [(FaceCover.Area, seesFace: Bool)]) = (0, [])
  private static let pageLength = 256

  init(_ recording: Recording, stream: Int) throws(RetakeError) {
    self.recording = recording
    self.stream = stream
    let known = try recording.summary().faces.filter { $0.stream == stream }
    isSilenceALook =
      recording.streams[stream].settings.contains(StreamDescription.Setting("faces", "1"))
      && known.allSatisfy { $0.detector == "simulated" && $0.skippedCount == 0 && $0.lookedCount == $0.faceFrameCount }
  }

  /// - Returns: also whether a face was seen in the frame itself.
  mutating func area(ofFrame number: Int) throws(RetakeError) -> (FaceCover.Area, seesFace: Bool) {
    if !(page.first..<page.first + page.areas.count).contains(number) { try turn(to: number) }
    return page.areas[number - page.first]
  }

  private mutating func turn(to number: Int) throws(RetakeError) {
    let first = max(0, number - FaceCover.contextLength)
    let end = number + Self.pageLength + FaceCover.contextLength
    let count = try recording.frameRows(stream: stream, from: first, limit: end - first).last.map { $0.number + 1 }
    var looks = [FaceCover.Look](
      repeating: isSilenceALook ? .seen([]) : .none, count: max(number + 1, min(end, count ?? 0)) - first)
    for message in try recording.faces(stream: stream, frames: first..<first + looks.count) {
      let faces = message.faces
      looks[message.frameNumber - first] =
        message.isSkipped
        ? .none
        : .seen(
          faces.filter { $0.framesSinceSeen == 0 }.map(\.box), held: faces.filter { $0.framesSinceSeen > 0 }.map(\.box))
    }
    let pairs = zip(FaceCover.areas(looks), looks).map { ($0, $1.seesFace) }
    page = (number, Array(pairs[(number - first)...].prefix(Self.pageLength)))
  }
}
