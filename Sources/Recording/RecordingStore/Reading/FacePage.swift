import ChunkFormat
import FrameModel
import Support

/// The face results of a stream's frames, read from the index in pages. Frames are asked for in their order.
package struct FacePage {
  private let recording: Recording
  private let stream: Int
  private var frames = 0..<0
  private var messages: [Int: FacesMessage] = [:]
  private static let length = 256

  package init(_ recording: Recording, stream: Int) { (self.recording, self.stream) = (recording, stream) }

  /// - Returns: nil for a frame that was neither searched nor skipped.
  mutating func message(of frame: Int) throws(RetakeError) -> FacesMessage? {
    if !frames.contains(frame) {
      frames = frame..<frame + Self.length
      messages = [:]
      for message in try recording.faces(stream: stream, frames: frames) { messages[message.frameNumber] = message }
    }
    return messages[frame]
  }

  /// - Returns: nil for a frame that the detector skipped.
  package mutating func faces(of frame: Int) throws(RetakeError) -> [FaceObservation]? {
    guard let message = try message(of: frame) else { return [] }
    return message.isSkipped ? nil : message.faces
  }
}
