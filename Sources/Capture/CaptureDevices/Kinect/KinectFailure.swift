import Support

/// Why a Kinect did not open, according to libfreenect's log, and what the user can do.
package enum KinectFailure: Hashable, Sendable {
  /// The user may not write to the USB device.
  case noPermission
  /// Another program holds the device, or the kernel's driver does and could not be detached.
  case busy
  case unplugged
  case other

  /// - Parameter words: the log's first error, such as "Could not open camera: -3".
  package init(_ words: String) {
    // libusb's error codes, which the log gives by number or by name.
    let codes: [(name: String, number: String, KinectFailure)] = [
      ("LIBUSB_ERROR_ACCESS", "-3", .noPermission), ("LIBUSB_ERROR_NO_DEVICE", "-4", .unplugged),
      ("LIBUSB_ERROR_BUSY", "-6", .busy),
    ]
    let last = words.split(whereSeparator: { " ()".contains($0) }).last ?? ""
    self = codes.first { last == $0.number || words.contains($0.name) }?.2 ?? .other
    if self == .other, words.contains("detach camera kernel driver") { self = .busy }
  }

  package static let permissionHint =
    "install the udev rules, with Debian's package libfreenect0.5, Retake's own, or its script install-udev, and reconnect it"
  package static let busyHint =
    "close other programs that use it; 'sudo modprobe -r gspca_kinect' unloads the kernel driver that may hold it"

  /// - Parameter what: "Kinect 0", at the start of a sentence.
  package func error(_ what: String, words: String) -> RetakeError {
    let detail = words.isEmpty ? "" : " (\(words))"
    switch self {
    case .noPermission:
      return RetakeError(.device, "You do not have permission to use \(what)\(detail).", hint: Self.permissionHint)
    case .busy:
      return RetakeError(
        .device, "\(what) is in use by another program or by the kernel\(detail).", hint: Self.busyHint)
    case .unplugged:
      return RetakeError(
        .disconnected, "\(what) was disconnected while it was being opened\(detail).",
        hint: "check its cable and power supply")
    case .other:
      return RetakeError(
        .device, "\(what) could not be opened\(detail).",
        hint: "reconnect it and its power supply; \(Self.busyHint)")
    }
  }
}
