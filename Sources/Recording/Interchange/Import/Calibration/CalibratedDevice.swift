import CaptureDevices
import FrameModel
import Support

/// A device whose streams have the calibration that the user gives.
final class CalibratedDevice: CaptureDevice {
  private let device: any CaptureDevice
  let streams: [StreamDescription]
  var summary: String { device.summary }
  var isLive: Bool { device.isLive }

  init(_ device: any CaptureDevice, streams: [StreamDescription]) {
    self.device = device
    self.streams = streams
  }

  func start(delivering sink: any CaptureSink) throws(RetakeError) { try device.start(delivering: sink) }
  func stop() { device.stop() }
}

extension ImportSource {
  /// Gives the source's streams the calibration in a file.
  /// - Throws: `.usage` for a file that does not fit them.
  package mutating func calibrate(by file: CalibrationFile) throws(RetakeError) {
    let calibrations = try file.calibrations(of: device.streams)
    device = CalibratedDevice(device, streams: try calibrations.applied(to: device.streams))
  }
}
