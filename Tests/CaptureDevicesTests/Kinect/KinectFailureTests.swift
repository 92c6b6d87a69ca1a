import CaptureDevices
import FrameModel
import Support
import Testing

/// The words are those of libfreenect 0.5.3's usb_libusb10.c.
@Suite struct KinectFailureTests {
  private func error(_ words: String) -> RetakeError { KinectFailure(words).error("Kinect 0", words: words) }

  @Test(arguments: ["Could not open camera: -3", "Could not open motor: -3"])
  func `without permission the udev rules are named`(_ words: String) {
    #expect(KinectFailure(words) == .noPermission)
    #expect(error(words).code == .device)
    #expect(error(words).hint.contains("udev"))
  }

  @Test(arguments: [
    "Failed to claim camera interface: LIBUSB_ERROR_BUSY", "Could not claim interface on motor: -6",
    "Failed to detach camera kernel driver: LIBUSB_ERROR_NOT_FOUND",
  ])
  func `a Kinect in use says how the kernel lets it go`(_ words: String) {
    #expect(KinectFailure(words) == .busy)
    #expect(error(words).hint.contains("modprobe -r gspca_kinect"))
  }

  @Test(arguments: ["Could not open camera: -4", "send_cmd: Output control transfer failed (-4)"])
  func `one that was pulled out may come back`(_ words: String) {
    #expect(KinectFailure(words) == .unplugged)
    #expect(error(words).code == .disconnected)
  }

  @Test(arguments: ["freenect_camera_init(): Failed to fetch zero plane info for device", "error: -33"])
  func `anything else keeps the library's words`(_ words: String) {
    #expect(KinectFailure(words) == .other)
    #expect(error(words).message.contains(words))
    #expect(!error(words).hint.isEmpty)
  }
}
