import ChunkFormat
import FrameModel

/// An entry to be written to the chunk files, in order. Frames carry the numbers of
/// `FrameAdmission` until `FrameNumbering` replaces them by those of the recording.
package enum RecordEntry {
  case frame(FrameMessage, payload: [UInt8], stream: Int)
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

  var stream: Int? {
    switch self {
    case .frame(_, _, let stream): stream
    case .faces(let message): message.stream
    case .event(let event): event.stream
    case .mark: nil
    }
  }

  /// Payload size in memory; 0 for entries without a payload.
  var byteCount: Int {
    if case .frame(_, let payload, _) = self { payload.count } else { 0 }
  }
}
