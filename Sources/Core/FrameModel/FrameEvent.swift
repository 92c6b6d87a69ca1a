/// An irregularity: frames that are unpaired, dropped, late, damaged or missing. All are recorded.
package struct FrameEvent: Hashable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    case device, queue, encoder, disk, pairing, preroll
  }
  package enum Reason: String, CaseIterable, Sendable {
    case dropped
    /// The frame is incomplete. It is kept and flagged.
    case damaged
    /// Packets of a frame never arrived. `count` is in packets; lost frames are another event.
    case lostPackets = "lost-packets"
    /// The device sent the frame twice. Both are kept; the second is flagged.
    case duplicate
    /// The frame's way to the host took over a frame period longer than the quickest frame's.
    case late
    /// A master frame (`frameNumber`) lacks a partner within the tolerance, although one was due.
    case unpaired
    /// A master frame (`frameNumber`) has no partner, and none was due: this stream is slower.
    case notDue = "not-due"
    /// A frame is in no frame set: the master lacks one within the tolerance, although it was due.
    case noMaster = "no-master"
    /// A frame is in no frame set because this stream is faster than the master.
    case surplus
    /// The device timestamp was zero, in the future or went back. The arrival time is used instead.
    case wrongTimestamp = "wrong-timestamp"
    /// The sequence number went back, or jumped further than the elapsed time allows.
    case wrongSequence = "wrong-sequence"
    /// The driver's frame counter wrapped. No frame is lost.
    case wrapped
    /// The encoder could not keep up. The frames are complete, but less compressed.
    case cheaperCodec = "cheaper-codec"
    /// The frames were too far from any mark (`--on-mark`), or a ring removed them (`--ring`).
    case notKept = "not-kept"
    case stalled
    case disconnected

    /// Whether the recording lacks something that the camera saw.
    package var isLoss: Bool { self == .dropped || self == .stalled || self == .disconnected }
  }

  /// Index into the recording's streams.
  package var stream: Int
  package var stage: Stage
  package var reason: Reason
  /// Number in its stream of the affected frame or, if that frame is lost, of the next frame kept.
  package var frameNumber: Int
  /// Frames, or packets for `lostPackets`.
  package var count: Int
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

  package var isLoss: Bool { reason.isLoss }
}
