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

  /// Payload size; 0 for entries without a payload.
  var byteCount: Int {
    if case .frame(_, let payload, _) = self { payload.count } else { 0 }
  }

  /// What an entry takes besides its payload, in bytes, rounded up. Tiny frames can wait in millions.
  private static let ownByteCount = 1 << 10

  /// Size in memory. A payload's memory can be larger than the payload.
  var memoryByteCount: Int {
    if case .frame(_, let payload, _) = self { Self.ownByteCount + payload.capacity } else { Self.ownByteCount }
  }
}
