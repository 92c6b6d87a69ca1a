import FrameModel
import Media
import Support

/// The pictures of one video track. Each track has its own ffmpeg, which blocks until its next
/// picture is read.
struct VideoLane: PictureLane {
  let file: VideoFile
  let track: VideoTrack
  /// What is wrong with the file; nil if nothing is.
  let complaint: String?
  let times: [Int64]
  let missingCount: Int

  init(_ file: VideoFile, _ track: VideoTrack, complaint: String?, offsetNanoseconds: Int64 = 0) {
    self.file = file
    self.track = track
    self.complaint = complaint
    times = track.pictures.map { $0.nanoseconds + offsetNanoseconds }
    // Of an intact file, players leave out what an edit list cuts.
    missingCount = complaint == nil ? 0 : max(0, track.statedCount - track.pictures.count)
  }

  func reader() throws(RetakeError) -> any PictureReader { try VideoReader(self) }
}

private final class VideoReader: PictureReader {
  private let lane: VideoLane
  private let child: ChildReader
  private let table: DepthSamplesTable?
  private var packet: [UInt8] = []
  private var position = 0

  init(_ lane: VideoLane) throws(RetakeError) {
    self.lane = lane
    table = lane.track.unit.map { DepthSamplesTable($0) }
    child = try VideoFile.child("ffmpeg", ["-nostdin"] + lane.track.arguments(lane.file))
  }

  func next(_ slot: PictureSlot, waitingUnless isStopping: () -> Bool) throws(RetakeError) -> PictureOutcome {
    let picture = lane.track.pictures[position]
    let count = try read(picture)
    guard picture.byteCount > 0 else {
      position += 1
      return .lost(1)
    }
    guard count > 0 else {
      // ffmpeg ended before the number of pictures that ffprobe counted.
      let left = lane.track.pictures.count - position
      position += left
      return .lost(left)
    }
    position += 1
    let coding = lane.track.coding
    let validCount = packet.withUnsafeMutableBytes { lane.track.oddWidth?.spread($0, count: count) ?? count }
    let frame = try packet.withRawBytes { bytes throws(RetakeError) -> CapturedFrame? in
      let image = ImageMessage(
        encoding: "",
        form: .raw(width: coding.layout.width, height: coding.layout.height, bytesPerRow: 0, isBigEndian: false),
        data: UnsafeRawBufferPointer(rebasing: bytes[..<validCount]))
      return try slot.memory.frame(
        of: image, coding, stream: slot.stream, tick: slot.tick, arrival: slot.arrival,
        isSuspect: picture.isSuspect || count < picture.byteCount, waitingUnless: isStopping)
    }
    guard let frame else { return .stopped }
    table?.apply(UnsafeMutableRawBufferPointer(rebasing: frame.buffer.mutableBytes[..<frame.byteCount]))
    return .frame(frame)
  }

  /// - Returns: the number of bytes read, 0 at the end.
  private func read(_ picture: VideoTrack.Picture) throws(RetakeError) -> Int {
    let layout = lane.track.layout
    let limit = layout.format == .jpeg ? layout.byteCount : FrameLayout.largestByteCount * 2
    guard picture.byteCount <= limit else {
      throw RetakeError(
        .corrupt, "\(lane.file.path) has a picture of \(picture.byteCount) bytes; the limit is \(limit).")
    }
    let needed = picture.byteCount + lane.track.layout.height * 2
    if packet.count < needed { packet = [UInt8](repeating: 0, count: needed) }
    return try packet.withMutableRawBytes { buffer throws(RetakeError) in
      try child.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<picture.byteCount]))
    }
  }

  func conclude() throws(RetakeError) -> RetakeError? {
    // Pictures that ffprobe did not count have no times: they are not imported, but reported.
    var rest = [UInt8](repeating: 0, count: 1 << 16)
    let count = try rest.withMutableRawBytes { buffer throws(RetakeError) in try child.read(into: buffer) }
    var complaint = lane.complaint
    if count > 0 {
      complaint = complaint ?? "ffmpeg found more data in a track than ffprobe listed"
    } else {
      let said = try child.finish()
      complaint = complaint ?? said
    }
    return complaint.map {
      RetakeError(.corrupt, "\(lane.file.path) is damaged: \($0)", hint: "all intact pictures were imported")
    }
  }
}
