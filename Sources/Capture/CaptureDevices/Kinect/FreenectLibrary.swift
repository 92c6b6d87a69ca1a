import CFreenect
import Support

/// libfreenect's functions, loaded when first used. All are nil where the library is missing.
let freenect: cfreenect_functions = FreenectLibrary.loaded.functions

/// The loaded libfreenect, or Debian's fakenect in its place.
enum FreenectLibrary {
  fileprivate static let loaded: (functions: cfreenect_functions, missing: RetakeError?) = {
    var functions = cfreenect_functions()
    guard let reason = cfreenect_load(&functions) else { return (functions, nil) }
    return (
      cfreenect_functions(),
      RetakeError(
        .unsupported, "A Kinect needs libfreenect, which could not be loaded: \(String(cString: reason)).",
        hint: "install Debian's package libfreenect0.5"
      )
    )
  }()

  /// Why no Kinect can be used; nil if the library was loaded.
  static var missing: RetakeError? { loaded.missing }

  static var isFake: Bool { freenect.is_fake != 0 }

  static var name: String { isFake ? "fakenect" : "libfreenect" }

  /// The subdevices that were opened: newer Kinects have no motor. Nil if the library cannot tell.
  static func enabledSubdevices(_ context: OpaquePointer) -> UInt32? {
    freenect.freenect_enabled_subdevices.map { $0(context).rawValue }
  }

  /// Serial numbers of the cameras that answered; nil if the library cannot list them.
  static func serials(_ context: OpaquePointer) -> [String]? {
    guard let list = freenect.freenect_list_device_attributes, let free = freenect.freenect_free_device_attributes
    else { return nil }
    var first: UnsafeMutablePointer<freenect_device_attributes>?
    guard list(context, &first) >= 0 else { return [] }
    defer { free(first) }
    var serials: [String] = []
    var next = first
    while let item = next {
      if let serial = item.pointee.camera_serial { serials.append(String(cString: serial)) }
      next = item.pointee.next
    }
    return serials
  }

  /// Passes the device's calibration to the body; nil if the library has none.
  static func withRegistration<Result>(
    of device: OpaquePointer, _ body: (freenect_registration) -> Result
  ) -> Result? {
    guard let copy = freenect.freenect_copy_registration, let destroy = freenect.freenect_destroy_registration
    else { return nil }
    var registration = copy(device)
    defer { _ = destroy(&registration) }
    return body(registration)
  }

  /// - Returns: whether the device accepted the flag; nil if the library cannot set flags.
  static func setFlag(_ flag: freenect_flag, _ isOn: Bool, of device: OpaquePointer) -> Bool? {
    freenect.freenect_set_flag.map { $0(device, flag, isOn ? FREENECT_ON : FREENECT_OFF) >= 0 }
  }

  /// - Returns: whether the device accepted the value; nil if the library cannot set it.
  static func setInfraredBrightness(_ value: UInt16, of device: OpaquePointer) -> Bool? {
    freenect.freenect_set_ir_brightness.map { $0(device, value) >= 0 }
  }
}
