import CaptureDevices
import Foundation
import FrameModel
import Glibc
import Support
import TestSupport
import Testing

/// What stands in the way of opening a node, in a sentence and with the next step.
@Suite struct V4L2FailureTests {
  private func refusal(_ path: String, _ number: Int32) -> RetakeError? {
    #expect(throws: RetakeError.self) {
      _ = try V4L2Device(DeviceSpecification("v4l2:\(path)")) { _ throws(KernelError) in throw KernelError(number) }
    }
  }

  @Test func `a node that is not there`() {
    let error = refusal("/dev/video987", ENOENT)
    #expect(error?.code == .notFound)
    #expect(error?.message == "There is no /dev/video987.")
    #expect(error?.hint.isEmpty == false)
  }

  @Test func `a node that belongs to a group`() throws {
    let path = NSTemporaryDirectory() + "retake-node-\(UUID().uuidString)"
    try FileBytes.write([], to: path)
    defer { unlink(path) }
    let error = refusal(path, EACCES)
    #expect(error?.code == .device)
    #expect(error?.message == "You do not have permission to open \(path).")
    let group = try #require(getgrgid(getgid())?.pointee.gr_name.map { String(cString: $0) })
    #expect(error?.hint.contains(group) == true, "\(error?.hint ?? "")")
    // A node that has no owner to be asked is taken for what nodes usually are.
    #expect(refusal("/nonexistent/video0", EACCES)?.hint.contains("usermod -aG video $USER") == true)
  }

  @Test func `a node that another program has`() {
    let error = refusal("/dev/video0", EBUSY)
    #expect(error?.code == .device)
    #expect(error?.message == "/dev/video0 is in use by another program.")
    #expect(error?.hint.contains("fuser -v /dev/video0") == true)
  }

  @Test func `a device that went away`() { #expect(refusal("/dev/null", ENODEV)?.code == .disconnected) }

  @Test(arguments: ["/dev/null", "/dev/zero", "/tmp"])
  func `what is no camera, through libv4l2`(_ path: String) {
    let error = #expect(throws: RetakeError.self) { _ = try V4L2Device(DeviceSpecification("v4l2:\(path)")) }
    #expect(error?.code == .device)
    #expect(error?.message == "\(path) is not a video device.")
    #expect(error?.hint.isEmpty == false)
  }
}
