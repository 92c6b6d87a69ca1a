import FrameModel
import Media
import Support

/// Delivers every picture of every track in order of time. Each track has its own ffmpeg, which
/// blocks until its next picture is read.
struct MatroskaDelivery: Sendable {
  let path: String
  let tracks: [MatroskaTrack]
  let streams: [StreamDescription]
  let complaint: String?

  func run(to sink: any CaptureSink, _ isStopping: @Sendable () -> Bool) {
    do throws(RetakeError) {
      var children: [ChildReader] = []
      for track in tracks {
        children.append(try MatroskaVideo.child("ffmpeg", ["-nostdin"] + track.arguments(path: path)))
      }
      let memory = FrameMemory(streams)
      var packet: [UInt8] = []
      var next = tracks.map { _ in 0 }
      let earliest = tracks.compactMap { $0.pictures.first?.nanoseconds }.min() ?? 0
      while let position = earliestTrack(next) {
        if isStopping() { return }
        let track = tracks[position]
        let picture = track.pictures[next[position]]
        let arrival = MonotonicTime(nanoseconds: picture.nanoseconds - earliest)
        let count = try read(picture, of: track, from: children[position], into: &packet)
        guard picture.byteCount > 0 else {
          sink.report(CaptureLoss(streamIndex: position, reason: .dropped, count: 1, arrival: arrival))
          next[position] += 1
          continue
        }
        guard count > 0 else {
          // ffmpeg ended before the number of pictures that ffprobe counted.
          let left = track.pictures.count - next[position]
          sink.report(CaptureLoss(streamIndex: position, reason: .dropped, count: left, arrival: arrival))
          next[position] = track.pictures.count
          continue
        }
        let coding = track.coding
        let frame = try packet.withRawBytes { bytes throws(RetakeError) -> CapturedFrame? in
          let image = ImageMessage(
            encoding: "",
            form: .raw(width: coding.layout.width, height: coding.layout.height, bytesPerRow: 0, isBigEndian: false),
            data: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
          return try memory.frame(
            of: image, coding, stream: position, tick: UInt64(picture.nanoseconds), arrival: arrival,
            isSuspect: count < picture.byteCount, waitingUnless: isStopping)
        }
        next[position] += 1
        guard let frame else { return }
        sink.deliver(frame)
      }
      sink.finished(try conclude(children))
    } catch {
      sink.finished(error)
    }
  }

  /// The track with the earliest next picture, the first of equals; nil at the end.
  private func earliestTrack(_ next: [Int]) -> Int? {
    tracks.indices.filter { next[$0] < tracks[$0].pictures.count }
      .min { tracks[$0].pictures[next[$0]].nanoseconds < tracks[$1].pictures[next[$1]].nanoseconds }
  }

  /// - Returns: the number of bytes read, 0 at the end.
  private func read(
    _ picture: MatroskaTrack.Picture, of track: MatroskaTrack, from child: ChildReader, into packet: inout [UInt8]
  ) throws(RetakeError) -> Int {
    let limit = track.layout.format == .jpeg ? track.layout.byteCount : FrameLayout.largestByteCount * 2
    guard picture.byteCount <= limit else {
      throw RetakeError(.corrupt, "\(path) has a picture of \(picture.byteCount) bytes; the limit is \(limit).")
    }
    if packet.count < picture.byteCount { packet = [UInt8](repeating: 0, count: picture.byteCount) }
    return try packet.withMutableRawBytes { buffer throws(RetakeError) in
      try child.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<picture.byteCount]))
    }
  }

  /// - Returns: an error that names the damage, if any; all readable pictures were delivered.
  private func conclude(_ children: [ChildReader]) throws(RetakeError) -> RetakeError? {
    var complaint = complaint
    for child in children {
      // Pictures that ffprobe did not count have no times: they are not imported, but reported.
      var rest = [UInt8](repeating: 0, count: 1 << 16)
      let count = try rest.withMutableRawBytes { buffer throws(RetakeError) in try child.read(into: buffer) }
      guard count == 0 else {
        complaint = complaint ?? "ffmpeg found more data in a track than ffprobe listed"
        continue
      }
      let said = try child.finish()
      complaint = complaint ?? said
    }
    return complaint.map {
      RetakeError(.corrupt, "\(path) is damaged: \($0)", hint: "all intact pictures were imported")
    }
  }
}
