import Glibc
import Support

/// What the kernel says of a video node beside V4L2: the USB device that it belongs to, and its node of metadata.
package struct VideoSurroundings {
  /// Folder of the USB device in sysfs, the same for all nodes of a camera; nil for other buses.
  package let usbFolder: String?
  package let usbProduct: String?
  package let metadataPath: String?

  package static let classFolder = "/sys/class/video4linux"

  /// - Parameters:
  ///   - path: of the node, or a symbolic link to it.
  ///   - classFolder: replaced in tests.
  package init(of path: String, classFolder: String = Self.classFolder) {
    let name = Self.name(Self.resolved(path) ?? path)
    let interface = Self.resolved("\(classFolder)/\(name)/device")
    // All interfaces of a USB device lie in its folder.
    let folder = interface.map { Self.name($0).contains(":") ? String($0.dropLast(Self.name($0).count + 1)) : $0 }
    let product = folder.flatMap { Self.word("\($0)/idProduct") }
    usbFolder = product == nil ? nil : folder
    usbProduct = product
    // uvcvideo registers a stream's metadata directly behind its pictures, under the same interface.
    let index = Self.word("\(classFolder)/\(name)/index").flatMap { Int($0) }
    let nodes = (try? Folder.names(in: classFolder)) ?? []
    metadataPath = nodes.first { other in
      guard let index, let interface, other.hasPrefix("video") else { return false }
      return Self.word("\(classFolder)/\(other)/index") == "\(index + 1)"
        && Self.resolved("\(classFolder)/\(other)/device") == interface
    }.map { "/dev/\($0)" }
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func word(_ path: String) -> String? {
    guard let bytes = try? FileBytes.read(path, limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
  }
}
