import FrameModel
import Kernels

/// Writes a calibration as the YAML that `--calibration` reads.
enum CalibrationText {
  /// - Parameters:
  ///   - streams: with the names that a reader gives them.
  ///   - isRegistered: whether exported depth lies over colour.
  /// - Returns: nil if no stream has a lens.
  static func yaml(_ streams: [(name: String, stream: StreamDescription)], isRegistered: Bool) -> String? {
    var lines = ["# Lenses in pixels; distortion in OpenCV's order: k1, k2, p1, p2, k3, k4, k5, k6."]
    for (name, stream) in streams {
      // An invalid setting of a stranger's recording does not keep its pictures from being exported.
      guard let lens = try? CameraIntrinsics(stream) else { continue }
      lines += [
        "\(name):", "  width: \(stream.layout.width)", "  height: \(stream.layout.height)", "  fx: \(lens[.fx])",
        "  fy: \(lens[.fy])", "  cx: \(lens[.cx])", "  cy: \(lens[.cy])", "  distortion: \(lens.distortion)",
      ]
    }
    guard lines.count > 1 else { return nil }
    if isRegistered {
      lines.append("depth-registered: true")
    } else if let depth = streams.first(where: { $0.stream.kind == .depth })?.stream,
      let pose = try? CameraExtrinsics(depth)
    {
      lines += [
        "# A point X of the depth camera is at rotation * X + translation of the colour camera; rows one by one.",
        "depth-to-color:", "  rotation: \(pose.rotation)", "  translation-mm: \(pose.translationMillimeters)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
