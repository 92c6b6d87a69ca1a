import CFreenect
import FrameModel
import Support
import Synchronization

/// A Kinect v1 through libfreenect, or a session on disk through its replacement fakenect, which
/// keeps the original timing but, unlike a camera, can wait.
package final class KinectDevice: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package let isLive: Bool

  private let session: KinectSession
  private let delivery: SingleDelivery
  /// Fakenect has one replay position per process and cannot rewind.
  private static let hasReplayed = Atomic<Bool>(false)

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let options = try KinectOptions(specification)
    var folder: FakenectFolder?
    if FreenectLibrary.isFake {
      try options.checkForFakenect()
      folder = try FakenectFolder.fromEnvironment()
    }
    let connection = try KinectConnection.open(options)
    do throws(RetakeError) {
      let plan = try KinectStreams(options, connection, folder)
      if let tilt = options.tilt, freenect.freenect_set_tilt_degs(connection.device, Double(tilt)) < 0 {
        throw Self.motorFailure("tilt=\(tilt)", connection)
      }
      if let led = options.led, freenect.freenect_set_led(connection.device, led.state) < 0 {
        throw Self.motorFailure("led=\(led.rawValue)", connection)
      }
      summary = plan.summary
      streams = plan.descriptions
      isLive = folder == nil
      let session = KinectSession(connection, folder: folder, controls: options.controls, plan)
      self.session = session
      delivery = SingleDelivery { session.close() }
    } catch {
      connection.close()
      throw error
    }
  }

  deinit { stop() }

  private static func motorFailure(_ option: String, _ connection: KinectConnection) -> RetakeError {
    RetakeError(
      .device, "The Kinect did not accept \(option)\(connection.log.words).", hint: "leave the option out")
  }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    func prepare() throws(RetakeError) {
      if !isLive, Self.hasReplayed.exchange(true, ordering: .relaxed) {
        throw RetakeError(
          .unsupported, "fakenect can replay its session only once per run.", hint: "run the command again")
      }
      try session.start()
    }
    try delivery.start(prepare: prepare) { [session] isStopping in
      session.run(delivering: sink, isStopping: isStopping)
      session.close()
    }
  }

  /// Under fakenect, may take as long as the pause between two frames of the session.
  package func stop() { delivery.stop() }

  /// Connected devices, for `retake devices`. Never fails.
  package static func list() -> [(place: String, summary: String)] {
    guard FreenectLibrary.missing == nil else { return [] }
    guard FreenectLibrary.isFake else { return KinectConnection.list() }
    do throws(RetakeError) {
      let folder = try FakenectFolder.fromEnvironment()
      return [("0", "fakenect, \(folder.lines.count) frames in \(folder.path)")]
    } catch {
      return [("0", "fakenect without a session: \(error.message)")]
    }
  }
}
