import FrameModel
import Kernels
import Support

/// What a viewer needs to know of a stream's camera.
struct StreamOptics {
  let width: Int
  let height: Int
  /// Nil for a stream without intrinsics.
  let lens: CameraIntrinsics?
  /// Of depth: its place relative to colour. Nil if it is not known, or for registered depth.
  let pose: CameraExtrinsics?
  /// Its pixels lie over those of colour.
  let isOverColor: Bool

  static func list(_ streams: [StreamDescription]) -> [StreamOptics] {
    // An invalid setting of a stranger's recording does not keep its pictures from being exported.
    streams.map { stream in
      let isOverColor =
        stream.kind == .depth && stream.settings[StreamCalibrations.registeredName] == "1"
        && streams.contains { $0.kind == .color }
      let pose = stream.kind == .depth && !isOverColor ? (try? CameraExtrinsics(stream)) ?? nil : nil
      return StreamOptics(
        width: stream.layout.width, height: stream.layout.height, lens: (try? CameraIntrinsics(stream)) ?? nil,
        pose: pose, isOverColor: isOverColor)
    }
  }
}

extension CameraIntrinsics {
  /// ROS' and Foxglove's name of the model of `distortion`.
  var distortionModel: String { distortion.count > 5 ? "rational_polynomial" : "plumb_bob" }
  /// 3 × 4, of pictures that need no rectification.
  var projection: [Double] { [self[.fx], 0, self[.cx], 0, 0, self[.fy], self[.cy], 0, 0, 0, 1, 0] }
}

/// The samples of a picture in a message.
package enum PictureEncoding: String, Sendable {
  case rgb8, mono8
  /// Little-endian intensity.
  case mono16
  /// Little-endian millimetres, 0 = hole.
  case depth16 = "16UC1"

  var bytesPerPixel: Int {
    switch self {
    case .rgb8: 3
    case .mono8: 1
    case .mono16, .depth16: 2
    }
  }
}

/// Writes pictures as messages that other programs read.
package protocol PictureMessageWriter {
  /// `pixels` are packed rows; `nanoseconds` is Unix time, not negative.
  mutating func append(
    pixels: UnsafeRawBufferPointer, _ encoding: PictureEncoding, width: Int, height: Int, stream: Int,
    nanoseconds: Int64
  ) throws(RetakeError)
  mutating func append(jpeg: UnsafeRawBufferPointer, stream: Int, nanoseconds: Int64) throws(RetakeError)
  /// An empty list clears the boxes before. Nothing is written where the format, or this file, has none of the stream.
  mutating func append(faces: [FaceObservation], stream: Int, nanoseconds: Int64) throws(RetakeError)
  mutating func finish() throws(RetakeError)
}
