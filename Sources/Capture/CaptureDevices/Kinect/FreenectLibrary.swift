import CFreenect
import Glibc

/// The loaded libfreenect. Only symbols in both Debian's libfreenect 0.5 and its fakenect are
/// linked. Others are looked up at run time, since calling a missing symbol ends the program.
enum FreenectLibrary {
  /// Whether the library is fakenect. In every version so far, it alone exports this helper.
  static let isFake = address("sleep_highres") != nil

  static var name: String { isFake ? "fakenect" : "libfreenect" }

  typealias ProcessEvents = @convention(c) (OpaquePointer?, UnsafeMutablePointer<timeval>?) -> Int32
  static var processEvents: ProcessEvents? {
    function("freenect_process_events_timeout", as: ProcessEvents.self)
  }

  private typealias EnabledSubdevices = @convention(c) (OpaquePointer?) -> UInt32
  /// The subdevices that were opened: newer Kinects have no motor. Nil if the library cannot tell.
  static func enabledSubdevices(_ context: OpaquePointer) -> UInt32? {
    function("freenect_enabled_subdevices", as: EnabledSubdevices.self)?(context)
  }

  private typealias Attributes = UnsafeMutablePointer<freenect_device_attributes>
  private typealias ListAttributes =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Attributes?>?) -> Int32
  private typealias FreeAttributes = @convention(c) (Attributes?) -> Void

  /// Serial numbers of the cameras that answered; nil if the library cannot list them.
  static func serials(_ context: OpaquePointer) -> [String]? {
    guard let list = function("freenect_list_device_attributes", as: ListAttributes.self),
      let free = function("freenect_free_device_attributes", as: FreeAttributes.self)
    else { return nil }
    var first: Attributes?
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

  private typealias CopyRegistration = @convention(c) (OpaquePointer?) -> freenect_registration
  private typealias DestroyRegistration =
    @convention(c) (UnsafeMutablePointer<freenect_registration>?) -> Int32

  /// Passes the device's calibration to the body; nil if the library has none.
  static func withRegistration<Result>(
    of device: OpaquePointer, _ body: (freenect_registration) -> Result
  ) -> Result? {
    guard let copy = function("freenect_copy_registration", as: CopyRegistration.self),
      let destroy = function("freenect_destroy_registration", as: DestroyRegistration.self)
    else { return nil }
    var registration = copy(device)
    defer { _ = destroy(&registration) }
    return body(registration)
  }

  private typealias SetFlag = @convention(c) (OpaquePointer?, freenect_flag, freenect_flag_value) -> Int32
  /// - Returns: whether the device accepted the flag; nil if the library cannot set flags.
  static func setFlag(_ flag: freenect_flag, _ isOn: Bool, of device: OpaquePointer) -> Bool? {
    function("freenect_set_flag", as: SetFlag.self).map { $0(device, flag, isOn ? FREENECT_ON : FREENECT_OFF) >= 0 }
  }

  private typealias SetBrightness = @convention(c) (OpaquePointer?, UInt16) -> Int32
  /// - Returns: whether the device accepted the value; nil if the library cannot set it.
  static func setInfraredBrightness(_ value: UInt16, of device: OpaquePointer) -> Bool? {
    function("freenect_set_ir_brightness", as: SetBrightness.self).map { $0(device, value) >= 0 }
  }

  private static func address(_ name: String) -> UnsafeMutableRawPointer? {
    dlsym(nil, name)  // nil is RTLD_DEFAULT, a macro that Swift does not import
  }

  /// - Parameter type: the C signature in libfreenect's header, which makes the cast valid.
  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    address(name).map { unsafeBitCast($0, to: type) }
  }
}
