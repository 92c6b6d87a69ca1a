import CFreenect
import Support

/// An open Kinect: libfreenect's context and device, from initialisation to shutdown.
struct KinectConnection {
  let context: OpaquePointer
  let device: OpaquePointer
  let serial: String?
  /// Whether tilt, LED and accelerometer are available.
  let hasMotor: Bool
  let log: KinectLog

  private static let motor = UInt32(FREENECT_DEVICE_MOTOR.rawValue)
  private static let camera = UInt32(FREENECT_DEVICE_CAMERA.rawValue)
  private static let audio = UInt32(FREENECT_DEVICE_AUDIO.rawValue)

  /// - Throws: `.notFound` when there is no such Kinect, `.device` when it cannot be opened.
  static func open(_ options: KinectOptions) throws(RetakeError) -> KinectConnection {
    guard options.needsMotor else { return try open(options, subdevices: camera) }
    do throws(RetakeError) {
      return try open(options, subdevices: motor | camera)
    } catch {
      if [.notFound, .unsupported, .disconnected].contains(error.code) { throw error }
      // Newer Kinects need firmware for the motor, but not for the cameras.
      let alone = try open(options, subdevices: camera)
      guard options.insistsOnMotor else { return alone }
      alone.close()
      throw RetakeError(
        .device, "The Kinect's cameras work, but its motor and accelerometer cannot be opened.",
        hint:
          "leave out motion, tilt and led, or fix the permissions: \(KinectFailure.permissionHint); the motor "
          + "of a Kinect newer than model 1414 needs firmware (audios.bin) that libfreenect can find"
      )
    }
  }

  private static func open(_ options: KinectOptions, subdevices: UInt32) throws(RetakeError)
    -> KinectConnection
  {
    let log = KinectLog()
    let context = try initialize(log)
    do throws(RetakeError) {
      let (index, serial) = try find(options.place, in: context)
      freenect.freenect_select_subdevices(context, freenect_device_flags(rawValue: subdevices))
      var device: OpaquePointer?
      guard freenect.freenect_open_device(context, &device, Int32(index)) >= 0, let device else {
        let words = log.firstError ?? ""
        throw KinectFailure(words).error("Kinect \(serial ?? "\(index)")", words: words)
      }
      let enabled = FreenectLibrary.enabledSubdevices(context) ?? subdevices
      return KinectConnection(
        context: context, device: device, serial: serial,
        hasMotor: subdevices & motor != 0 && enabled & (motor | audio) != 0, log: log)
    } catch {
      // Also closes a device that opened only partly.
      shutDown(context)
      throw error
    }
  }

  private static func initialize(_ log: KinectLog) throws(RetakeError) -> OpaquePointer {
    if let missing = FreenectLibrary.missing { throw missing }
    var context: OpaquePointer?
    let status = freenect.freenect_init(&context, nil)
    guard status == 0, let context else {
      throw RetakeError(
        .device, "libfreenect could not initialise USB access (error \(status)).",
        hint: "check that this machine has USB and that you have read access to /dev/bus/usb")
    }
    log.attach(to: context)
    return context
  }

  private static func find(_ place: KinectOptions.Place, in context: OpaquePointer) throws(RetakeError)
    -> (index: Int, serial: String?)
  {
    let count = Int(freenect.freenect_num_devices(context))
    guard count > 0 else {
      throw RetakeError(
        .notFound, "No Kinect is connected.",
        hint: "connect it and its power supply; to replay a fakenect session, run 'fakenect FOLDER retake …'")
    }
    let serials = FreenectLibrary.serials(context)
    switch place {
    case .index(let index):
      guard index < count else {
        throw RetakeError(
          .notFound, "There is no Kinect \(index): \(count) \(count == 1 ? "is" : "are") connected.",
          hint: "indices start at kinect:0")
      }
      // Cameras that did not answer are missing, so the list's order is unreliable.
      return (index, serials?.count == count ? serials?[index] : nil)
    case .serial(let serial):
      guard let serials else {
        throw RetakeError(
          .unsupported, "This libfreenect cannot list serial numbers.",
          hint: "use kinect:0 for the first one")
      }
      guard serials.count == count, let index = serials.firstIndex(of: serial) else {
        throw RetakeError(
          .notFound, "There is no Kinect with the serial number \(serial).",
          hint: serials.isEmpty
            ? "no serial number could be read: \(KinectFailure.permissionHint)"
            : "connected serial numbers: \(serials.joined(separator: ", "))")
      }
      return (index, serial)
    }
  }

  /// Stops both cameras, closes the device, and only then shuts libfreenect down. The reverse order
  /// crashes, and closing alone stops only one camera.
  func close() {
    freenect.freenect_set_video_callback(device, nil)
    freenect.freenect_set_depth_callback(device, nil)
    _ = freenect.freenect_stop_video(device)
    _ = freenect.freenect_stop_depth(device)
    freenect.freenect_set_user(device, nil)
    _ = freenect.freenect_close_device(device)
    Self.shutDown(context)
  }

  private static func shutDown(_ context: OpaquePointer) {
    KinectLog.detach(from: context)
    _ = freenect.freenect_shutdown(context)
  }

  /// Indices and serials of connected Kinects. Empty if libfreenect cannot start.
  static func list() -> [(place: String, summary: String)] {
    guard let context = try? initialize(KinectLog()) else { return [] }
    defer { shutDown(context) }
    let count = max(0, Int(freenect.freenect_num_devices(context)))
    let serials = FreenectLibrary.serials(context)
    return (0..<count).map { index in
      let serial = serials?.count == count ? serials?[index] : nil
      return (String(index), serial.map { "Kinect v1, serial number \($0)" } ?? "Kinect v1")
    }
  }
}
