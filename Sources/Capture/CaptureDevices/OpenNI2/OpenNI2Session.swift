import COpenNI2
import FrameModel
import Glibc
import Support

/// An open camera, and the loop that empties its streams.
///
/// Unchecked, since it has no lock. Until `run`, only the thread that opened the device uses it; from then on only the
/// device's own thread.
final class OpenNI2Session: @unchecked Sendable {
  let camera: OpenNI2Library.Camera
  let serial: String?
  private let device: OpaquePointer
  private(set) var streams: [OpenNI2Stream] = []

  /// Longest delay of a stop.
  private static let waitMilliseconds: Int32 = 50
  /// Waits without a frame after which the list of devices is searched for the camera: a second.
  private static let silentWaitLimit = 20
  /// Six frames at 30 fps.
  private static let settlingMicroseconds: UInt32 = 200_000

  init(_ options: OpenNI2Options) throws(RetakeError) {
    let uri = try Self.uri(options.place)
    var handle: OpaquePointer?
    guard openNI.oniDeviceOpen(uri, &handle) == COPENNI2_OK, let device = handle else {
      throw RetakeError(
        .device, "The camera \(uri) could not be opened\(OpenNI2Library.words).",
        hint: "close other programs that use it, and check that you may write to /dev/bus/usb")
    }
    self.device = device
    var info = OniDeviceInfo()
    _ = openNI.oniDeviceGetInfo(device, &info)
    camera = OpenNI2Library.Camera(info)
    serial = Self.serial(device)
    do throws(RetakeError) {
      if options.video != .none {
        let isColor = options.video == .color
        try add(isColor ? .color : .infrared, isColor ? COPENNI2_COLOR : COPENNI2_INFRARED, options)
      }
      if options.depth != .none { try add(.depth, COPENNI2_DEPTH, options) }
      if options.depth == .registered { try register() }
    } catch {
      close()
      throw error
    }
  }

  private static func uri(_ place: String) throws(RetakeError) -> String {
    let cameras = try OpenNI2Library.cameras()
    guard let index = Int(place) else { return place }
    if cameras.indices.contains(index) { return cameras[index].uri }
    throw RetakeError(
      .notFound,
      cameras.isEmpty
        ? "OpenNI 2 finds no camera." : "There is no camera \(index): OpenNI 2 finds \(cameras.count).",
      hint: cameras.isEmpty
        ? "connect one; 'retake devices' lists the connected devices" : "indices start at openni2:0")
  }

  private static func serial(_ device: OpaquePointer) -> String? {
    var (text, byteCount) = ([UInt8](repeating: 0, count: 64), Int32(64))
    let status = openNI.oniDeviceGetProperty(device, Int32(COPENNI2_SERIAL_NUMBER), &text, &byteCount)
    let serial = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    return status == COPENNI2_OK && !serial.isEmpty ? serial : nil
  }

  private func add(_ kind: StreamKind, _ sensor: Int, _ options: OpenNI2Options) throws(RetakeError) {
    let mode = try OpenNI2Mode.best(kind, sensor, of: device, options)
    streams.append(try OpenNI2Stream(mode, sensor, of: device))
  }

  private func register() throws(RetakeError) {
    var isOn: Int32 = 1
    guard openNI.oniDeviceSetProperty(device, Int32(COPENNI2_REGISTRATION), &isOn, 4) == COPENNI2_OK else {
      throw RetakeError(
        .unsupported, "The camera cannot register depth to colour\(OpenNI2Library.words).", hint: "use depth=on")
    }
  }

  func start() throws(RetakeError) { for stream in streams { try stream.start() } }

  /// Delivers frames until `isStopping` or until the camera is gone. Blocks.
  func run(delivering sink: any CaptureSink, isStopping: @escaping @Sendable () -> Bool) {
    var handles: [OpaquePointer?] = streams.map(\.handle)
    var silentWaitCount = 0
    while !isStopping() {
      var index: Int32 = -1
      let status = openNI.oniWaitForAnyStream(&handles, Int32(handles.count), &index, Self.waitMilliseconds)
      if status == COPENNI2_OK, streams.indices.contains(Int(index)) {
        silentWaitCount = 0
        streams[Int(index)].deliver(stream: Int(index), to: sink)
        continue
      }
      silentWaitCount += 1
      // The library does not say that a camera was unplugged; its dummy device is never in the list.
      let isGone = silentWaitCount % Self.silentWaitLimit == 0 && isUnplugged
      if isGone || status != COPENNI2_TIMEOUT {
        return sink.finished(
          RetakeError(
            .disconnected, "The camera \(camera.uri) was disconnected\(isGone ? "" : OpenNI2Library.words).",
            hint: "check its cable, and reconnect it"))
      }
    }
  }

  private var isUnplugged: Bool {
    guard let cameras = try? OpenNI2Library.cameras() else { return false }
    return !cameras.contains { $0.uri == camera.uri } && camera.uri != "Dummy"
  }

  func close() {
    for stream in streams { openNI.oniStreamStop(stream.handle) }
    // A driver's thread may still make a frame after the stop; without its stream, the dummy device's crashes.
    usleep(Self.settlingMicroseconds)
    for stream in streams { openNI.oniStreamDestroy(stream.handle) }
    streams = []
    _ = openNI.oniDeviceClose(device)
  }
}
