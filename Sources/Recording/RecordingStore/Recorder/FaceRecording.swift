import FrameModel
import Support

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

  /// The depth that belongs to a colour stream: of the same device, or of one with no colour that says that it is laid over
  /// another's. Nil for all but the first colour stream: frame sets pair depth with that one alone.
  package func faceDepthStream(of color: Int) -> Int? {
    guard color == faceStream else { return nil }
    return firstIndex { $0.kind == .depth && $0.device == self[color].device }
      ?? firstIndex { depth in
        depth.kind == .depth && depth.settings.contains(StreamDescription.Setting("registered", "1"))
          && !contains { $0.kind == .color && $0.device == depth.device }
      }
  }

  /// The colour stream of a name; without one the first.
  /// - Parameter path: the recording's, to name it.
  /// - Throws: `.unsupported` where there is no colour, `.usage` for a name that is no colour stream's.
  package func faceStream(named name: String?, in path: String) throws(RetakeError) -> Int {
    guard let first = faceStream else {
      throw RetakeError(
        .unsupported, "\(path) has no colour stream in which to detect faces.", hint: "'retake info' lists its streams")
    }
    guard let name else { return first }
    guard let stream = firstIndex(where: { $0.name == name && $0.kind == .color }) else {
      let names = filter { $0.kind == .color }.map(\.name).joined(separator: ", ")
      throw RetakeError(.usage, "\(path) has no colour stream '\(name)'.", hint: "its colour streams are \(names)")
    }
    return stream
  }
}
