/// Something that did not go as a perfect recording would: what has no partner, was dropped, late, damaged or
/// never came is an event with a stage and a reason, never silence.
package struct FrameEvent: Hashable, Sendable {
  /// Where on a frame's way it happened.
  package enum Stage: String, CaseIterable, Sendable {
    case device, queue, encoder, disk, pairing, preroll
  }
  package enum Reason: String, CaseIterable, Sendable {
    /// The frame is gone.
    case dropped
    /// Its bytes are not whole; it is kept and flagged.
    case damaged
    /// Packets of a frame never came; the count is of packets, and what they cost is another event's.
    case lostPackets = "lost-packets"
    /// It came twice; both are kept, the second flagged.
    case duplicate
    /// It came more than a frame period late.
    case late
    /// For a frame of the master (whose number it says) this stream has none within the tolerance, and should.
    case unpaired
    /// For a frame of the master this stream has none, and none was due: it is the slower one.
    case notDue = "not-due"
    /// A frame of this stream is in no frame set: the master has none within the tolerance, and should.
    case noMaster = "no-master"
    /// A frame of this stream is in no frame set: it comes more often than the master's.
    case surplus
    /// Its time stamp was zero, from the future or gone back; its time is that of its arrival.
    case wrongTimestamp = "wrong-timestamp"
    /// Its sequence number went back, or further on than there was time for.
    case wrongSequence = "wrong-sequence"
    /// The driver's counter of frames came to its end and began again; nothing is lost by it.
    case wrapped
    /// The encoder could not keep up: the frames are kept whole, less well compressed.
    case cheaperCodec = "cheaper-codec"
    /// The frames lay too far from any mark: only what is near one was asked for.
    case notKept = "not-kept"
    /// The device stopped delivering.
    case stalled
    /// The device went away.
    case disconnected
  }

  /// Which of the recording's streams.
  package var stream: Int
  package var stage: Stage
  package var reason: Reason
  /// Number in its stream of the frame that it concerns or, where that frame is gone, of the next one kept.
  package var frameNumber: Int
  /// How many frames, or packets.
  package var count: Int
  /// On the recording's time line.
  package var presentation: PresentationTime

  package init(
    stream: Int, stage: Stage, reason: Reason, frameNumber: Int, count: Int, presentation: PresentationTime
  ) {
    self.stream = stream
    self.stage = stage
    self.reason = reason
    self.frameNumber = frameNumber
    self.count = count
    self.presentation = presentation
  }

  /// Whether something that the camera saw is missing from the recording.
  package var isLoss: Bool { reason == .dropped || reason == .stalled || reason == .disconnected }
}
