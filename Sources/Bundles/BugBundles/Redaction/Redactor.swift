import ChunkFormat
import FrameModel
import Kernels
import Media
import RecordingStore
import Support

/// Replaces a recording's frames by redacted ones.
final class Redactor: CopyTreatment {
  let streams: [StreamDescription]
  let name: String
  private let rules: RedactionRules
  private let plans: [StreamPlan]
  private var areas: [FaceAreas?]
  private let pictures: PictureRedactor
  private let decoder: FrameDecoder
  private let encoder: FrameEncoder
  private(set) var blackFrameCounts: [Int]
  private(set) var coveredFrameCounts: [Int]
  /// Of streams whose faces are covered: frames as they were, since no face is known in them or shortly before or after.
  private(set) var unchangedFrameCount = 0
  /// Of the covered frames: those in which no face was seen, only shortly before or after.
  private(set) var assumedFrameCount = 0

  init(_ recording: Recording, _ rules: RedactionRules, _ plans: [StreamPlan]) throws(RetakeError) {
    self.rules = rules
    self.plans = plans
    name = "redaction=" + rules.names.joined(separator: "+")
    streams = RedactedDescriptions.streams(recording.streams, changed: plans.map { $0 != .keep }, rules)
    areas = try plans.enumerated().map { stream, plan throws(RetakeError) in
      plan == .cover ? try FaceAreas(recording, stream: stream) : nil
    }
    pictures = try PictureRedactor()
    decoder = try FrameDecoder()
    encoder = try FrameEncoder()
    blackFrameCounts = plans.map { _ in 0 }
    coveredFrameCounts = blackFrameCounts
  }

  func treated(
    _ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8]) {
    switch plans[stream] {
    case .keep: return (message, Array(payload))
    case .bare: return try bare(message, payload, stream: stream)
    case .black: return try black(message, stream: stream)
    case .cover: return try covered(message, payload, stream: stream)
    }
  }

  private func covered(
    _ message: FrameMessage, _ payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8]) {
    let layout = message.layout
    let isWhole = layout.format == .jpeg || message.byteCount == layout.packed.byteCount
    // A damaged frame may show a face elsewhere than the detector saw it.
    guard isWhole, !message.flags.contains(.damaged),
      case (.boxes(let boxes), let seesFace)? = try areas[stream]?.area(ofFrame: message.number)
    else { return try black(message, stream: stream) }
    let surroundings = boxes.compactMap { FaceSurroundings($0, width: layout.width, height: layout.height) }
    guard !surroundings.isEmpty || layout.format == .jpeg else {
      unchangedFrameCount += 1
      return (message, Array(payload))
    }
    var frame = try decoded(message, payload)
    do throws(RetakeError) {
      try pictures.cover(&frame, layout, surroundings, rules.contains(.facesOnlyBoxes) ? .grey : .squares)
    } catch {
      guard error.code == .corrupt else { throw error }
      return try black(message, stream: stream)
    }
    guard frame.count <= layout.byteCount else { return try black(message, stream: stream) }
    if surroundings.isEmpty { unchangedFrameCount += 1 } else { coveredFrameCounts[stream] += 1 }
    if !surroundings.isEmpty && !seesFace { assumedFrameCount += 1 }
    return try encoded(frame, message)
  }

  private func bare(
    _ message: FrameMessage, _ payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8]) {
    guard let bare = try decoded(message, payload).withUnsafeBytes({ JPEGStructure.bare($0) }) else {
      return try black(message, stream: stream)
    }
    return try encoded(bare, message)
  }

  private func decoded(
    _ message: FrameMessage, _ payload: UnsafeRawBufferPointer
  ) throws(RetakeError) -> [UInt8] {
    var frame = [UInt8](repeating: 0, count: message.byteCount)
    try frame.withMutableRawBytes { output throws(RetakeError) in
      _ = try decoder.decode(payload, of: message, into: output)
    }
    return frame
  }

  private func black(
    _ message: FrameMessage, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8]) {
    blackFrameCounts[stream] += 1
    return try encoded(try pictures.black(message.layout, byteCount: message.byteCount), message)
  }

  private func encoded(
    _ frame: [UInt8], _ message: FrameMessage
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8]) {
    var message = message
    message.byteCount = frame.count
    return try frame.withRawBytes { bytes throws(RetakeError) in
      message.checksum = Checksum.xxh3(bytes)
      return try encoder.encode(bytes, layout: message.layout) { codec, payload throws(RetakeError) in
        message.codec = codec
        return (message, Array(payload))
      }
    }
  }

  func treated(_ faces: FacesMessage) -> FacesMessage {
    guard rules.contains(.facesOnlyBoxes) else { return faces }
    var copy = faces
    for index in copy.faces.indices {
      let face = copy.faces[index]
      copy.faces[index] = FaceObservation(
        box: face.box, confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: face.detector)
    }
    return copy
  }
}
