import FrameModel
import Support

/// The source of face detections during a recording.
package enum FaceRecording: Sendable {
  case device
  /// No faces; those that devices report are discarded.
  case none
  /// A detector on one colour stream, with the depth stream of the same view if there is one.
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
  /// The default stream for face detection: the first colour stream.
  package var faceStream: Int? { firstIndex { $0.kind == .color } }

  /// The depth stream that matches a colour stream: of the same device, or of a device without
  /// colour whose depth is registered to another's colour. Nil for all but the first colour stream,
  /// since frame sets pair depth with that one alone.
  package func faceDepthStream(of color: Int) -> Int? {
    guard color == faceStream else { return nil }
    return firstIndex { $0.kind == .depth && $0.device == self[color].device }
      ?? firstIndex { depth in
        depth.kind == .depth && depth.settings.contains(StreamDescription.Setting("registered", "1"))
          && !contains { $0.kind == .color && $0.device == depth.device }
      }
  }

  /// Returns the colour stream called `name`, or the first one for nil.
  /// - Parameter path: the recording's path, for error messages.
  /// - Throws: `.unsupported` without a colour stream, `.usage` if none has the name.
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
