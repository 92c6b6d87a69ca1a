import ChunkFormat
import FrameModel

/// Something on its way into the chunk files, in the order in which it will lie there. Frames have the numbers of
/// `FrameAdmission` until `FrameNumbering` gives them the recording's.
enum RecordEntry {
  case frame(FrameMessage, payload: [UInt8], stream: Int)
  /// Of a frame that came before.
  case faces(FacesMessage)
  case event(FrameEvent)
  case mark(Mark)

  var presentation: PresentationTime {
    switch self {
    case .frame(let message, _, _): message.timestamps.presentation
    case .faces(let message): message.presentation
    case .event(let event): event.presentation
    case .mark(let mark): mark.presentation
    }
  }

  /// Nil for what concerns none.
  var stream: Int? {
    switch self {
    case .frame(_, _, let stream): stream
    case .faces(let message): message.stream
    case .event(let event): event.stream
    case .mark: nil
    }
  }

  /// Of what takes memory while it waits.
  var byteCount: Int {
    if case .frame(_, let payload, _) = self { payload.count } else { 0 }
  }
}
