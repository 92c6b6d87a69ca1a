import FrameModel
import Support

/// A Xtion, PrimeSense, older Astra or another camera with a driver for OpenNI 2.
package final class OpenNI2Device: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package var isLive: Bool { true }

  private let session: OpenNI2Session
  private let delivery: SingleDelivery

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let options = try OpenNI2Options(specification)
    let session = try OpenNI2Session(options)
    self.session = session
    delivery = SingleDelivery { session.close() }
    let (camera, serial) = (session.camera, session.serial)
    summary = camera.summary + (serial.map { ", serial number \($0)" } ?? "")
    do throws(RetakeError) {
      var streams: [StreamDescription] = []
      for stream in session.streams {
        let mode = stream.mode
        var settings = [StreamDescription.Setting("library", "OpenNI 2"), .init("uri", camera.uri)]
        if let serial { settings.append(.init("serial", serial)) }
        settings += mode.settings
        if mode.kind == .depth, options.depth == .registered { settings.append(.init("registered", "1")) }
        streams.append(
          StreamDescription(
            name: mode.kind.rawValue, kind: mode.kind, layout: mode.layout, rate: try FrameRate(Int(mode.mode.fps)),
            clock: .microseconds, device: "openni2:\(serial ?? camera.uri)", settings: settings))
      }
      self.streams = streams
    } catch {
      session.close()
      throw error
    }
  }

  deinit { stop() }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    try delivery.start(prepare: session.start) { [session] isStopping in
      session.run(delivering: sink, isStopping: isStopping)
      session.close()
    }
  }

  package func stop() { delivery.stop() }

  /// Connected cameras, for `retake devices`. Never fails.
  package static func list() -> [(place: String, summary: String)] {
    ((try? OpenNI2Library.cameras()) ?? []).enumerated().map { (String($0), $1.summary) }
  }
}
