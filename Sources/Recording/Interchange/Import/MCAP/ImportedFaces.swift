import ChunkFormat
import FrameModel

/// Faces of files that Retake exported: their boxes, which foxglove.ImageAnnotations holds. They come after their
/// picture in the file, so they are collected in the first pass.
struct ImportedFaces: Sendable {
  /// By the topic of the annotations and the time of the message.
  private var boxes: [String: [UInt64: [FaceObservation.Box]]] = [:]
  private var count = 0
  private static let topicLimit = 16
  /// Of frames with faces, and of faces: some hours. A stranger's file takes no more memory than that.
  private static let countLimit = 1 << 20
  /// Their detector and its confidence are not in the file.
  private static let detector = "imported"

  mutating func note(_ channel: ImageMessageReader.Channel, _ message: ContainedMessage) {
    guard channel.schema == "foxglove.ImageAnnotations", channel.messageEncoding == "protobuf", !message.isSuspect,
      channel.topic.hasSuffix(Self.ending), boxes[channel.topic] != nil || boxes.count < Self.topicLimit,
      let found = try? Foxglove.boxes(inAnnotations: message.data), count + found.count <= Self.countLimit
    else { return }
    count += found.count
    boxes[channel.topic, default: [:]][message.logTime] = found.isEmpty ? nil : found
  }

  private static let ending = "/faces"

  /// "/color/faces" of "/color/image".
  static func topic(ofPictures topic: String) -> String? {
    topic.hasSuffix("/image") ? topic.dropLast("/image".count) + ending : nil
  }

  var topics: [String] { boxes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  func has(_ topic: String) -> Bool { boxes[topic] != nil }

  func faces(ofPictures topic: String, at logTime: UInt64) -> [FaceObservation] {
    guard let topic = Self.topic(ofPictures: topic), let found = boxes[topic]?[logTime] else { return [] }
    return found.map {
      FaceObservation(box: $0, confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: Self.detector)
    }
  }

  /// Keeps those of these topics of pictures.
  mutating func keep(_ pictures: [String]) {
    let wanted = Set(pictures.compactMap { Self.topic(ofPictures: $0) })
    boxes = boxes.filter { wanted.contains($0.key) }
  }
}
