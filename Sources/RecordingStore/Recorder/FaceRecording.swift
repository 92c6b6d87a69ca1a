import FrameModel

/// Who looks for faces while a recording is made.
package enum FaceRecording: Sendable {
  /// The devices themselves, where they do.
  case device
  /// Nobody; what devices report is not kept.
  case none
  /// A detector looks at one colour stream, with the depth of the same view beside it where there is one.
  case detector(any FaceObserver, stream: Int, depthStream: Int?)

  func keepsDeviceFaces(ofStream number: Int) -> Bool {
    switch self {
    case .device: true
    case .none: false
    case .detector(_, let stream, _): number != stream
    }
  }
}

extension [StreamDescription] {
  /// The stream in which faces are looked for; nil where there is no colour.
  package var faceStream: Int? { firstIndex { $0.kind == .color } }

  /// The depth that belongs to it: of the same device, or of one that says that it sees the same.
  package var faceDepthStream: Int? {
    guard let color = faceStream else { return nil }
    return firstIndex { $0.kind == .depth && $0.device == self[color].device }
      ?? firstIndex { $0.kind == .depth && $0.settings.contains(StreamDescription.Setting("registered", "1")) }
  }
}
