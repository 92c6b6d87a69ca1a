import ChunkFormat
import Kernels
import Support

/// The pose of one frame of reference in another.
struct FrameTransform: Hashable {
  var parent: String
  var child: String
  /// From points of the child to points of the parent.
  var pose: CameraExtrinsics

  /// More than any robot has.
  static let limitPerMessage = 4096

  /// - Parameter translation: metres.
  init(parent: String, child: String, translation: [Double], quaternion: [Double]) throws(RetakeError) {
    // ROS 1 took names with and without a slash for the same.
    self.parent = String(parent.drop { $0 == "/" })
    self.child = String(child.drop { $0 == "/" })
    pose = try CameraExtrinsics(
      checking: CameraExtrinsics.rotation(quaternion: quaternion),
      translationMillimeters: translation.map { $0 * 1000 })
  }

  /// geometry_msgs/Transform of a ROS 1 bag of RealSense's SDK: from the reference of a group of streams to one of them.
  /// - Parameter topic: such as "/device_0/sensor_1/Color_0/tf/0".
  /// - Returns: nil for other topics.
  init?(realSense bytes: UnsafeRawBufferPointer, topic: String) throws(RetakeError) {
    let words = topic.split(separator: "/")
    guard words.count == 5, words[0].hasPrefix("device_"), words[1].hasPrefix("sensor_"), words[3] == "tf" else {
      return nil
    }
    var fields = CDRReader(version1: bytes)
    let (translation, quaternion) = (try fields.floats(3), try fields.floats(4))
    try self.init(
      parent: "\(words[0])/tf/\(words[4])", child: words.prefix(3).joined(separator: "/"), translation: translation,
      quaternion: quaternion)
    pose = pose.inverse
  }

  init(_ message: Foxglove.FrameTransform) throws(RetakeError) {
    let (t, q) = (message.translation ?? .init(), message.rotation ?? .init())
    try self.init(
      parent: message.parentFrameID, child: message.childFrameID, translation: [t.x, t.y, t.z],
      quaternion: [q.x, q.y, q.z, q.w])
  }

  /// tf2_msgs/TFMessage and tf/tfMessage: geometry_msgs/TransformStamped in order of definition.
  static func list(ros bytes: UnsafeRawBufferPointer, isVersion1: Bool) throws(RetakeError) -> [FrameTransform] {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    let count = Int(try fields.uint32())
    guard count <= limitPerMessage else {
      throw RetakeError(.corrupt, "A message has \(count) transforms; the limit is \(limitPerMessage).")
    }
    var found: [FrameTransform] = []
    for _ in 0..<count {
      let parent = try fields.headerFrame(isVersion1: isVersion1)
      let child = try fields.string()
      let (translation, quaternion) = (try fields.floats(3), try fields.floats(4))
      found.append(
        try FrameTransform(parent: parent, child: child, translation: translation, quaternion: quaternion))
    }
    return found
  }
}

/// Frames of reference and their poses, as the messages of a file give them.
struct FrameTree {
  /// By child.
  private var transforms: [String: FrameTransform] = [:]
  /// Children whose pose changes during the file.
  private var moving: Set<String> = []
  private static let frameLimit = 4096
  private static let depthLimit = 64
  /// Poses that differ by less are the same: numbers may be rounded again.
  private static let tolerance = 1e-6

  mutating func note(_ transform: FrameTransform) {
    guard let known = transforms[transform.child] else {
      if transforms.count < Self.frameLimit { transforms[transform.child] = transform }
      return
    }
    let numbers = { (pose: CameraExtrinsics) in pose.rotation + pose.translationMillimeters }
    let isSame =
      known.parent == transform.parent
      && zip(numbers(known.pose), numbers(transform.pose)).allSatisfy { abs($0 - $1) <= Self.tolerance }
    if !isSame { moving.insert(transform.child) }
  }

  func has(_ frame: String) -> Bool { transforms[frame] != nil }

  /// Takes points of one frame to points of another.
  /// - Returns: nil if the file does not connect them, or by something that moves.
  func pose(from: String, to: String) -> CameraExtrinsics? {
    guard let (start, end) = meeting(way(from), way(to)) else { return nil }
    return start.followed(by: end.inverse)
  }

  /// A frame and its ancestors, each with the pose from the frame to it.
  private func way(_ frame: String) -> [(name: String, pose: CameraExtrinsics)] {
    var way = [(name: frame, pose: CameraExtrinsics.identity)]
    while way.count < Self.depthLimit, let last = way.last, let next = transforms[last.name],
      !moving.contains(last.name)
    {
      way.append((next.parent, last.pose.followed(by: next.pose)))
    }
    return way
  }

  private func meeting(
    _ a: [(name: String, pose: CameraExtrinsics)], _ b: [(name: String, pose: CameraExtrinsics)]
  ) -> (CameraExtrinsics, CameraExtrinsics)? {
    for (name, pose) in a {
      if let found = b.first(where: { $0.name == name }) { return (pose, found.pose) }
    }
    return nil
  }
}
