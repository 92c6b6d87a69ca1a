import FrameModel

extension FrameEvent.Reason {
  /// In a few words, for a line of a table.
  var meaning: String {
    switch self {
    case .dropped: "lost"
    case .damaged: "kept, but incomplete"
    case .lostPackets: "never arrived"
    case .duplicate: "sent twice"
    case .late: "arrived late; their times hold"
    case .unpaired: "missing beside a master frame"
    case .notDue: "none was due: the slower stream"
    case .noMaster: "used by no replay: no master frame"
    case .surplus: "used by no replay: the faster stream"
    case .wrongTimestamp: "the device's clock was wrong"
    case .wrongSequence: "the device's counter was wrong"
    case .wrapped: "the device's counter began anew"
    case .cheaperCodec: "complete, in more bytes"
    case .notKept: "far from any mark, or let go by a ring"
    case .stalled: "the camera paused"
    case .disconnected: "the camera was unplugged"
    }
  }
}
