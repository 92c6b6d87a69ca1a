import Support

/// A change in a supervised device, for messages.
package enum SupervisionChange: Hashable, Sendable {
  /// The device reported that it is gone, or that its stream broke.
  case lost(RetakeError)
  case stalled(streams: [String], nanoseconds: Int64)
  /// Streams delivered no frame since the start.
  case neverCame(streams: [String], nanoseconds: Int64)
  /// The device is present but cannot be reopened.
  case refused(RetakeError)
  /// Frames arrive again. Settings may have changed: "exposure 157, was 80".
  case returned(afterNanoseconds: Int64, changedSettings: [String])
  /// The driver does not return from closing the device.
  case hangs

  /// One or two sentences that name the device.
  package func sentence(_ name: String, _ policy: SupervisionOptions.Policy, work: String = "recording") -> String {
    let isOpenedAgain = policy == .wait ? "; it is being reopened while the \(work) continues." : "."
    switch self {
    case .lost(let error):
      let goesOn = " The \(work) continues without this device and uses it again when it returns."
      return "\(name) was lost: \(error.message)" + (policy == .wait ? goesOn : "")
    case .stalled(let streams, let span):
      return "\(name) has delivered no \(Self.frames(streams)) for \(Self.seconds(span))\(isOpenedAgain)"
    case .neverCame(let streams, let span):
      return "\(name) has delivered no \(Self.frames(streams)) since it started \(Self.seconds(span)) ago"
        + isOpenedAgain
    case .refused(let error): return "\(name) cannot be reopened yet: \(error)"
    case .returned(let span, let changed):
      let settings = changed.isEmpty ? "" : " Its settings changed: \(changed.joined(separator: "; "))."
      return "\(name) is back after \(Self.seconds(span)).\(settings)"
    case .hangs: return "\(name) does not close; Retake no longer waits for it."
    }
  }

  private static func frames(_ streams: [String]) -> String {
    streams.isEmpty ? "frame" : "\(streams.joined(separator: ", no ")) frame"
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
