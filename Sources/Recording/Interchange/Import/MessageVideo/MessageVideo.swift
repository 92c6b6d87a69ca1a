import FrameModel
import Support

/// The pictures of a topic with compressed video, as ffmpeg decodes them.
struct MessageVideo: Sendable {
  struct Picture: Hashable, Sendable {
    /// Number of the message that it is from.
    var message: Int
    /// Number of the message that completes it and all pictures before it.
    var due: Int
    /// Nanoseconds of the sender's clock.
    var time: Int64
    /// Nanoseconds of the recorder's clock. Times of messages, in the order in which pictures are shown: encoders
    /// with B frames send some pictures early.
    var arrival: Int64
    var isKey: Bool
  }

  let lane: VideoLane
  /// In the order in which they are shown.
  let pictures: [Picture]
  /// What differs from the messages, and what the decoder complained of.
  let remarks: [String]
  let complaint: String?
  private let messages: Set<Int>
  /// Holds the file that ffmpeg reads.
  private let scratch: ScratchFolder

  var layout: FrameLayout { lane.track.layout }
  var settings: [StreamDescription.Setting] { lane.track.settings.filter { $0.name != "track" } }

  func hasPicture(ofMessage number: Int) -> Bool { messages.contains(number) }

  /// - Parameter path: of the source.
  /// - Throws: why the topic cannot become a stream.
  init(_ packets: VideoPackets, of path: String, progress: ImportProgress) throws(RetakeError) {
    scratch = packets.scratch
    let codec = packets.codec
    guard packets.packetCount > 0 else {
      throw RetakeError(.corrupt, "none of its messages has a key frame of \(codec.rawValue) with its parameters")
    }
    let probe = try Self.probe(packets, path, progress)
    guard let track = probe.tracks.first else {
      throw RetakeError(.corrupt, "ffmpeg decodes none of its pictures (\(codec.rawValue))")
    }
    guard track.kind == .color else {
      throw RetakeError(.unsupported, "\(codec.rawValue) with samples of more than 8 bits of grey is not supported")
    }
    lane = VideoLane(probe.file, track, complaint: nil)
    complaint = probe.complaint
    var order: [Picture] = []
    var due = 0
    for picture in track.pictures {
      let message = Int(picture.nanoseconds / 1_000_000)
      guard packets.times.indices.contains(message), let time = packets.times[message] else {
        throw RetakeError(.corrupt, "ffmpeg found a picture that is from none of its messages (\(codec.rawValue))")
      }
      due = max(due, message)
      order.append(Picture(message: message, due: due, time: time.stamp, arrival: time.log, isKey: picture.isKey))
    }
    for (index, arrival) in order.map(\.arrival).sorted().enumerated() { order[index].arrival = arrival }
    let backwardCount = zip(order, order.dropFirst()).count { $1.time < $0.time }
    var remarks = track.remarks
    if backwardCount > 0 {
      // The sender stamped packets as they came from an encoder with B frames.
      for (index, time) in order.map(\.time).sorted().enumerated() { order[index].time = time }
      remarks.append(
        "\(backwardCount) of its pictures had earlier times than those shown before them; the times were sorted")
    }
    pictures = order
    messages = Set(order.map(\.message))
    self.remarks = remarks
  }

  private static func probe(
    _ packets: VideoPackets, _ path: String, _ progress: ImportProgress
  ) throws(RetakeError) -> VideoProbe {
    var isStopped = false
    do throws(RetakeError) {
      return try VideoProbe(packets.file, unit: nil, isOfMessages: true) { done, total in
        isStopped = !progress(done, total)
        return !isStopped
      }
    } catch {
      if isStopped { throw .importStopped(path) }
      // The error names the temporary file.
      guard [.corrupt, .unsupported, .usage].contains(error.code) else { throw error }
      throw RetakeError(error.code, "ffmpeg decodes none of its pictures (\(packets.codec.rawValue))")
    }
  }
}
