import Glibc
import Support

enum VideoNodeList {
  /// "/dev/video0" and so on, by number, whether or not they capture video.
  static func paths() -> [String] {
    let names = (try? Folder.names(in: "/dev")) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
    return numbers.filter { $0 >= 0 }.sorted().map { "/dev/video\($0)" }
  }

  /// The driver's name for a node, available even if the node cannot be opened.
  static func title(of path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let bytes = try? FileBytes.read("/sys/class/video4linux/\(name)/name") else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
  }

  /// Nodes that capture video, and nodes that the user may not open.
  static func access() -> [CameraAccess] {
    paths().compactMap { path in
      do throws(KernelError) {
        let node = try LinuxVideoNode(path: path)
        defer { node.close() }
        let capability = try node.capability()
        guard capability.capturesVideo, capability.streams else { return nil }
        return CameraAccess(device: "v4l2:\(path)", title: capability.summary, problem: nil)
      } catch {
        // A camera in use can be queried, so with any other error it is not a camera.
        guard error.number == EACCES || error.number == EPERM else { return nil }
        return CameraAccess(
          device: "v4l2:\(path)", title: title(of: path) ?? "a video device", problem: V4L2Failure.opening(path, error))
      }
    }
  }

  static func cameras() -> [(place: String, summary: String)] {
    let cameras = access()
    let nodes = cameras.map { $0.device.dropFirst("v4l2:".count) }
    let folders = nodes.map { VideoSurroundings(of: String($0)).usbFolder }
    return cameras.enumerated().map { place, camera in
      let others = nodes.indices.filter { $0 != place && folders[$0] != nil && folders[$0] == folders[place] }
      let together =
        others.isEmpty ? "" : "; one camera with \(others.map { String(nodes[$0]) }.joined(separator: ", "))"
      let reason = camera.problem.map { ", which you have no permission to open; \($0.hint)" } ?? ""
      return (String(camera.device.dropFirst("v4l2:".count)), camera.title + together + reason)
    }
  }
}
