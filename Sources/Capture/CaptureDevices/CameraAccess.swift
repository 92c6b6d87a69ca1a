import Glibc
import Support

/// A camera that is connected, and whether this user may open it.
package struct CameraAccess: Sendable {
  /// As in `--device`.
  package let device: String
  package let title: String
  /// Why the user cannot open it; nil if they can.
  package let problem: RetakeError?

  /// Cameras of the kernel and Kinects. Opens the former for a moment.
  package static func all() -> [CameraAccess] { VideoNodeList.access() + kinects() }

  /// Why libv4l2 could not be loaded; nil if it was.
  package static var missingVideoLibrary: String? { LinuxVideoNode.missingLibrary }

  /// USB products of a Kinect v1's camera.
  private static let kinectProducts = ["02ae", "02bf"]

  /// Kinects on the USB bus, which need no library to be seen.
  private static func kinects() -> [CameraAccess] {
    let root = "/sys/bus/usb/devices"
    let folders = ((try? Folder.names(in: root)) ?? []).sorted()
    let nodes = folders.compactMap { name -> String? in
      guard word("\(root)/\(name)/idVendor") == "045e",
        let product = word("\(root)/\(name)/idProduct"), kinectProducts.contains(product),
        let bus = word("\(root)/\(name)/busnum").flatMap({ Int($0) }),
        let number = word("\(root)/\(name)/devnum").flatMap({ Int($0) })
      else { return nil }
      return "/dev/bus/usb/\(bus.zeroPadded(3))/\(number.zeroPadded(3))"
    }
    return nodes.enumerated().map { index, node in
      let problem =
        access(node, R_OK | W_OK) == 0
        ? FreenectLibrary.missing
        : RetakeError(
          .device, "You do not have permission to use \(node).", hint: KinectFailure.permissionHint)
      return CameraAccess(device: "kinect:\(index)", title: "Kinect v1 at \(node)", problem: problem)
    }
  }

  private static func word(_ path: String) -> String? {
    guard let bytes = try? FileBytes.read(path, limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
  }
}
