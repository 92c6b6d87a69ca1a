import ChunkFormat
import Foundation
import Kernels
import Support

/// A message about lenses or the places of cameras, decoded from topic, type and bytes alone, so that
/// every container can use it.
enum CalibrationMessage {
  case camera(CameraInfo)
  case transforms([FrameTransform])
  /// From the depth camera to the colour camera, of RealSense's ROS driver.
  case depthToColor(CameraExtrinsics)

  private static let largestByteCount = 1 << 20

  static func isCalibration(schema: String, messageEncoding: String) -> Bool {
    switch (name(schema), messageEncoding) {
    case ("sensor_msgs/CameraInfo", "cdr"), ("sensor_msgs/CameraInfo", "ros1"): true
    case ("tf2_msgs/TFMessage", "cdr"), ("tf2_msgs/TFMessage", "ros1"), ("tf/tfMessage", "ros1"): true
    case ("realsense2_camera_msgs/Extrinsics", "cdr"), ("realsense2_camera/Extrinsics", "ros1"): true
    case ("geometry_msgs/Transform", "ros1"): true
    case ("foxglove.CameraCalibration", "protobuf"), ("foxglove.CameraCalibration", "json"): true
    case ("foxglove.FrameTransform", "protobuf"), ("foxglove.FrameTransform", "json"): true
    case ("foxglove.FrameTransforms", "protobuf"), ("foxglove.FrameTransforms", "json"): true
    default: false
    }
  }

  /// ROS 2's names of types without "/msg".
  private static func name(_ schema: String) -> String { schema.replacing("/msg/", with: "/", maxReplacements: 1) }

  /// - Returns: nil for other messages.
  /// - Throws: `.corrupt` for a message that does not match its type.
  init?(topic: String, schema: String, messageEncoding: String, _ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    guard Self.isCalibration(schema: schema, messageEncoding: messageEncoding) else { return nil }
    guard bytes.count <= Self.largestByteCount else {
      throw RetakeError(.corrupt, "A calibration has \(bytes.count) bytes; the limit is \(Self.largestByteCount).")
    }
    let isVersion1 = messageEncoding == "ros1"
    let name = Self.name(schema)
    switch name {
    case "sensor_msgs/CameraInfo": self = .camera(try CameraInfo(ros: bytes, isVersion1: isVersion1))
    case "tf2_msgs/TFMessage", "tf/tfMessage":
      self = .transforms(try FrameTransform.list(ros: bytes, isVersion1: isVersion1))
    case "realsense2_camera_msgs/Extrinsics", "realsense2_camera/Extrinsics":
      guard topic.hasSuffix("depth_to_color") else { return nil }
      self = .depthToColor(try Self.realSensePose(bytes, isVersion1: isVersion1))
    case "geometry_msgs/Transform":
      guard let transform = try FrameTransform(realSense: bytes, topic: topic) else { return nil }
      self = .transforms([transform])
    default:
      self = messageEncoding == "json" ? try Self.json(name, bytes) : try Self.foxglove(name, bytes)
    }
  }

  /// The rotation column by column, then the translation in metres.
  private static func realSensePose(_ bytes: UnsafeRawBufferPointer, isVersion1: Bool) throws(RetakeError)
    -> CameraExtrinsics
  {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    // Only ROS 1's has a header.
    if isVersion1 { _ = try fields.headerFrame(isVersion1: true) }
    let columns = try fields.floats(9)
    let translation = try fields.floats(3)
    return try CameraExtrinsics(
      checking: (0..<9).map { columns[$0 % 3 * 3 + $0 / 3] }, translationMillimeters: translation.map { $0 * 1000 })
  }

  private static func foxglove(_ name: String, _ bytes: UnsafeRawBufferPointer) throws(RetakeError)
    -> CalibrationMessage
  {
    switch name {
    case "foxglove.CameraCalibration":
      let message = try Foxglove.CameraCalibration.decode(bytes)
      return .camera(
        CameraInfo(
          frame: message.frameID, width: message.width, height: message.height,
          distortionModel: message.distortionModel, d: message.d.values, k: message.k.values, r: message.r.values,
          p: message.p.values))
    case "foxglove.FrameTransform":
      return .transforms([try FrameTransform(try Foxglove.FrameTransform.decode(bytes))])
    default:
      let list = try Foxglove.FrameTransforms.decode(bytes).transforms
      return .transforms(try list.map { message throws(RetakeError) in try FrameTransform(message) })
    }
  }

  // MARK: JSON

  private static func json(_ name: String, _ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> CalibrationMessage {
    guard let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else {
      throw RetakeError(.corrupt, "A calibration is not a JSON object.")
    }
    switch name {
    case "foxglove.CameraCalibration":
      func numbers(_ name: String) throws(RetakeError) -> [Double] {
        let values = object[name] as? [Double] ?? []
        guard values.count <= CameraInfo.largestCoefficientCount else {
          throw RetakeError(.corrupt, "A calibration has \(values.count) numbers in '\(name)'.")
        }
        return values
      }
      return .camera(
        CameraInfo(
          frame: object["frame_id"] as? String ?? "", width: object["width"] as? Int ?? -1,
          height: object["height"] as? Int ?? -1, distortionModel: object["distortion_model"] as? String ?? "",
          d: try numbers("D"), k: try numbers("K"), r: try numbers("R"), p: try numbers("P")))
    case "foxglove.FrameTransform": return .transforms([try transform(object)])
    default:
      let list = object["transforms"] as? [[String: Any]] ?? []
      guard list.count <= FrameTransform.limitPerMessage else {
        throw RetakeError(
          .corrupt, "A message has \(list.count) transforms; the limit is \(FrameTransform.limitPerMessage).")
      }
      return .transforms(try list.map(transform))
    }
  }

  private static func transform(_ object: [String: Any]) throws(RetakeError) -> FrameTransform {
    func numbers(_ name: String, _ members: [String]) -> [Double] {
      let inner = object[name] as? [String: Any]
      return members.map { inner?[$0] as? Double ?? 0 }
    }
    return try FrameTransform(
      parent: object["parent_frame_id"] as? String ?? "", child: object["child_frame_id"] as? String ?? "",
      translation: numbers("translation", ["x", "y", "z"]), quaternion: numbers("rotation", ["x", "y", "z", "w"]))
  }
}
