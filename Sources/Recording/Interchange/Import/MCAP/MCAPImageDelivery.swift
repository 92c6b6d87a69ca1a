import FrameModel
import Support

/// The second pass over a recording of messages, which delivers every picture to the recorder.
struct MCAPImageDelivery: Sendable {
  let source: MessageSource
  let streams: [StreamDescription]
  let streamOfTopic: [String: Int]
  let clock: ArrivalClock
  let missingCounts: [Int]
  /// Of streams with compressed video.
  let videos: [MessageVideo?]
  let faces: ImportedFaces

  func run(to sink: any CaptureSink, _ isStopping: @Sendable () -> Bool) {
    do throws(RetakeError) {
      let reader = try MessageLanes(source, topics: Array(streamOfTopic.keys), clock)
      let memory = FrameMemory(streams)
      var arrival = MonotonicTime(nanoseconds: 0)
      let players = try videos.map { video throws(RetakeError) in
        try video.map { video throws(RetakeError) in try MessageVideoPlayer(video, clock) }
      }
      while let found = try reader.next() {
        if isStopping() { return }
        guard let stream = streamOfTopic[found.topic] else { continue }
        // Of what is lost; a picture's own stamp is read with it.
        if !clock.isOfStamps, let logTime = MCAPImages.logTime(found.message) {
          arrival = clock.arrival(stamp: nil, logTime: logTime)
        }
        if let player = players[stream] {
          let slot = PictureSlot(stream: stream, tick: 0, arrival: arrival, memory: memory)
          if try !player.deliver(to: sink, slot, isSuspect: found.isSuspect, isStopping) { return }
          continue
        }
        if !deliver(found, to: sink, stream: stream, arrival: &arrival, memory, isStopping) { return }
      }
      for (stream, count) in missingCounts.enumerated() where count > 0 {
        sink.report(CaptureLoss(streamIndex: stream, reason: .dropped, count: count, arrival: arrival))
      }
      let complaint = videos.lazy.compactMap { $0?.complaint }.first.map { RetakeError(.corrupt, "ffmpeg: \($0)") }
      sink.finished((reader.damage ?? complaint.map { ($0, 0) }).map(damaged))
    } catch {
      sink.finished(error)
    }
  }

  private func damaged(_ damage: (first: RetakeError, moreCount: Int)) -> RetakeError {
    let more = damage.moreCount > 0 ? " (and \(damage.moreCount) more)" : ""
    return RetakeError(
      .corrupt, "\(source.path) is damaged: \(damage.first.message)\(more)", hint: "all intact images were imported")
  }

  /// - Returns: false if delivery should end.
  private func deliver(
    _ found: ImageMessageReader.Found, to sink: any CaptureSink, stream: Int, arrival: inout MonotonicTime,
    _ memory: FrameMemory, _ isStopping: () -> Bool
  ) -> Bool {
    do throws(RetakeError) {
      guard let logTime = MCAPImages.logTime(found.message) else {
        throw RetakeError(.corrupt, "A message's time is out of range.")
      }
      let frame = try found.read { image throws(RetakeError) -> CapturedFrame? in
        let layout = streams[stream].layout
        let coding = try coding(of: image, layout)
        guard coding.layout == layout else {
          throw RetakeError(.unsupported, "A picture differs in size or format from the first of its stream.")
        }
        let stamp = image.stamp(logTime: logTime)
        arrival = clock.arrival(stamp: stamp, logTime: logTime)
        return try memory.frame(
          of: image, coding, stream: stream, tick: stamp.map { UInt64($0) }, arrival: arrival,
          isSuspect: found.isSuspect, waitingUnless: isStopping)
      }
      guard var frame else { return false }
      frame.faces = faces.faces(ofPictures: found.topic, at: found.message.logTime)
      sink.deliver(frame)
    } catch {
      // Nothing of the picture can be kept, so it counts as dropped.
      sink.report(CaptureLoss(streamIndex: stream, reason: .dropped, count: 1, arrival: arrival))
    }
    return true
  }

  /// Keeps a JPEG with an unreadable header unchanged. It is flagged as damaged.
  private func coding(of image: ImageMessage, _ layout: FrameLayout) throws(RetakeError) -> PictureCoding {
    do throws(RetakeError) {
      let coding = try PictureCoding(of: image)
      // The same samples, in the unit of the stream.
      guard layout.format == .grey16, coding.layout.format == .depthMillimeters16 else { return coding }
      return PictureCoding(
        layout: try FrameLayout(.grey16, width: coding.layout.width, height: coding.layout.height),
        coding: coding.coding)
    } catch {
      guard layout.format == .jpeg, !image.data.isEmpty,
        error.code == .corrupt || !image.data.starts(with: [0xFF, 0xD8])
      else { throw error }
      return PictureCoding(layout: layout, coding: .jpeg)
    }
  }
}
