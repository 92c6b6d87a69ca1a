import FrameModel
import Kernels
import Support

/// Collects what the messages of a file say of lenses and places, and gives it to the streams that the
/// file's image topics become. Containers pass every message to `note`.
struct CalibrationCollector {
  /// An image topic that becomes a stream.
  struct ImageStream {
    var topic: String
    /// The frame of reference in its messages' headers; empty if they have none.
    var frame: String
    var kind: StreamKind
    var layout: FrameLayout
    /// The settings that it has anyway.
    var settings: [StreamDescription.Setting] = []
  }

  private struct Camera {
    var info: CameraInfo
    var changes = false
  }

  private var cameras: [String: Camera] = [:]
  private var tree = FrameTree()
  private var depthToColor: CameraExtrinsics?
  /// What is wrong with a topic's first bad message.
  private var complaints: [String: RetakeError] = [:]
  private static let topicLimit = 256
  /// Principal points and focal lengths of registered depth and its colour differ by less, in pixels.
  private static let sameLensPixels = 0.5

  mutating func note(topic: String, schema: String, messageEncoding: String, _ bytes: UnsafeRawBufferPointer) {
    do throws(RetakeError) {
      let message = try CalibrationMessage(
        topic: topic, schema: schema, messageEncoding: messageEncoding, bytes)
      switch message {
      case nil: break
      case .camera(let info):
        if let known = cameras[topic] {
          if known.info != info { cameras[topic]?.changes = true }
        } else if cameras.count < Self.topicLimit {
          cameras[topic] = Camera(info: info)
        }
      case .transforms(let transforms): for transform in transforms { tree.note(transform) }
      case .depthToColor(let pose): depthToColor = depthToColor ?? pose
      }
    } catch {
      if complaints.count < Self.topicLimit, complaints[topic] == nil { complaints[topic] = error }
    }
  }

  struct Found {
    /// Of each stream, in the order given.
    var settings: [[StreamDescription.Setting]]
    /// What was left out, and why.
    var remarks: [String]
  }

  /// - Parameter namesUnused: whether to report calibrations that belong to no stream.
  func settings(for streams: [ImageStream], namesUnused: Bool) -> Found {
    var found = Found(settings: streams.map { _ in [] }, remarks: [])
    var lenses: [(lens: CameraIntrinsics, frame: String)?] = streams.map { _ in nil }
    var used: Set<String> = []
    for (index, stream) in streams.enumerated() where [.color, .depth, .infrared].contains(stream.kind) {
      guard let topic = cameraTopic(of: stream), let camera = cameras[topic] else { continue }
      used.insert(topic)
      // A file that Retake exported says it in the stream's own words.
      if stream.settings[CameraIntrinsics.settingName] != nil { continue }
      do throws(RetakeError) {
        let (width, height) = (stream.layout.width, stream.layout.height)
        let lens = try camera.info.lens(width: width, height: height, isRectified: stream.isRectified)
        lenses[index] = (lens, frame(of: stream, camera.info))
        found.settings[index].append(lens.setting)
        if camera.changes {
          found.remarks.append("\(topic) changes during the file: its first message is used for all frames")
        }
      } catch {
        found.remarks.append("left out the calibration \(topic) of \(stream.topic): \(Self.reason(error))")
      }
    }
    if let color = streams.firstIndex(where: { $0.kind == .color }), let colorLens = lenses[color] {
      for (index, stream) in streams.enumerated() where stream.kind == .depth {
        guard let depthLens = lenses[index], stream.settings[CameraExtrinsics.settingName] == nil else { continue }
        place(depthLens, stream, over: colorLens, streams[color], &found.settings[index], &found.remarks)
      }
    }
    for topic in cameras.keys.sorted(by: Self.precedes) where namesUnused && !used.contains(topic) {
      found.remarks.append("left out the calibration \(topic): no imported pictures belong to it")
    }
    for (topic, error) in complaints.sorted(by: { Self.precedes($0.key, $1.key) }) {
      found.remarks.append("left out a message of \(topic): \(Self.reason(error))")
    }
    return found
  }

  /// The message without its full stop, for use in a sentence.
  private static func reason(_ error: RetakeError) -> String {
    error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
  }

  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  private func frame(of stream: ImageStream, _ info: CameraInfo) -> String {
    let name = String((info.frame.isEmpty ? stream.frame : info.frame).drop { $0 == "/" })
    // In ROS 1 bags of RealSense's SDK, frames of reference have the topic's name, and headers none or "0".
    return stream.isRealSense && !tree.has(name) ? stream.base.dropLast(2).joined(separator: "/") : name
  }

  private func place(
    _ depth: (lens: CameraIntrinsics, frame: String), _ depthStream: ImageStream,
    over color: (lens: CameraIntrinsics, frame: String), _ colorStream: ImageStream,
    _ settings: inout [StreamDescription.Setting], _ remarks: inout [String]
  ) {
    if depth.frame == color.frame, !depth.frame.isEmpty {
      // Two pictures from one place: already registered if their lenses are the same, too.
      if Self.isSameLens(depth.lens, depthStream.layout, color.lens, colorStream.layout) {
        settings.append(.init("registered", "1"))
      } else {
        settings.append(CameraExtrinsics.identity.setting)
      }
    } else if let pose = tree.pose(from: depth.frame, to: color.frame) ?? depthToColor {
      settings.append(pose.setting)
    } else {
      remarks.append(
        "depth of \(depthStream.topic) is not registered to colour: there is no static transform between "
          + "'\(depth.frame)' and '\(color.frame)'")
    }
  }

  private static func isSameLens(
    _ depth: CameraIntrinsics, _ depthSize: FrameLayout, _ color: CameraIntrinsics, _ colorSize: FrameLayout
  ) -> Bool {
    let scale = Double(depthSize.width) / Double(colorSize.width)
    guard abs(Double(colorSize.height) * scale - Double(depthSize.height)) <= 1 else { return false }
    func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= sameLensPixels }
    return isNear(depth[.fx], color[.fx] * scale) && isNear(depth[.fy], color[.fy] * scale)
      && isNear(depth[.cx], (color[.cx] + 0.5) * scale - 0.5) && isNear(depth[.cy], (color[.cy] + 0.5) * scale - 0.5)
  }

  // MARK: Which camera a topic's pictures are from

  /// By ROS' convention a sibling of the pictures' topic; in files of RealSense's SDK a cousin; else the
  /// only one with the same frame of reference.
  private func cameraTopic(of stream: ImageStream) -> String? {
    let picture = stream.base
    let sameFolder = cameras.keys.filter { Self.words($0).dropLast() == picture.dropLast() }
    if sameFolder.count == 1 { return sameFolder[0] }
    if picture.suffix(2) == ["image", "data"],
      let cousin = cameras.keys.first(where: { Self.words($0) == picture.dropLast(2) + ["info", "camera_info"] })
    {
      return cousin
    }
    let sameFrame = cameras.filter { !stream.frame.isEmpty && $0.value.info.frame == stream.frame }.keys
    return sameFrame.count == 1 ? sameFrame.first : nil
  }

  fileprivate static func words(_ topic: String) -> [Substring] { topic.split(separator: "/") }
}

extension CalibrationCollector.ImageStream {
  /// The topic's words without the transport that image_transport adds.
  fileprivate var base: [Substring] {
    let words = CalibrationCollector.words(topic)
    return ["compressed", "compressedDepth"].contains(words.last) ? words.dropLast() : words
  }

  /// Of RealSense's SDK: /device_0/sensor_1/Color_0/image/data.
  fileprivate var isRealSense: Bool {
    base.count == 5 && base[0].hasPrefix("device_") && base.suffix(2) == ["image", "data"]
  }

  /// By ROS' convention: image_rect, image_rect_raw, image_rect_color.
  fileprivate var isRectified: Bool { base.last?.hasPrefix("image_rect") ?? false }
}
