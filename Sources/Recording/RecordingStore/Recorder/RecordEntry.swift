import ChunkFormat
import FrameModel

/// Something on its way into the chunk files, in the order in which it will lie there.
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

  /// The same with numbers that begin later: less `bases` of its stream.
  func renumbered(less bases: [Int]) -> RecordEntry {
    switch self {
    case .frame(var message, let payload, let stream):
      message.number -= bases[stream]
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      message.frameNumber -= bases[message.stream]
      return .faces(message)
    case .event(var event):
      // It may concern a frame that lies before them.
      event.frameNumber = max(0, event.frameNumber - bases[event.stream])
      return .event(event)
    case .mark: return self
    }
  }

  /// The same at another place of the time line.
  func shifted(byNanoseconds offset: Int64) -> RecordEntry {
    switch self {
    case .frame(var message, let payload, let stream):
      message.timestamps.presentation.nanoseconds += offset
      return .frame(message, payload: payload, stream: stream)
    case .faces(var message):
      message.presentation.nanoseconds += offset
      return .faces(message)
    case .event(var event):
      event.presentation.nanoseconds += offset
      return .event(event)
    case .mark(var mark):
      mark.presentation.nanoseconds += offset
      return .mark(mark)
    }
  }
}
