import CV4L2
import CaptureDevices
import FrameModel
import Testing

/// What V4L2's defaults mean, as the kernel's documents say.
@Suite struct V4L2ColorimetryTests {
  private func settings(_ code: FourCC, _ adjust: @escaping (inout VideoFormat) -> Void) throws -> [String: String] {
    let node = ScriptedVideoNode()
    node.listed = [.init(code: code)]
    node.adjust = {
      var format = $0
      adjust(&format)
      return format
    }
    let wanted = ["colorspace", "ycbcr-encoding", "quantization", "transfer-function"]
    let all = try scriptedDevice("", node).streams[0].settings.filter { wanted.contains($0.name) }
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.value) })
  }

  @Test func `a webcam's YUYV has limited range and BT.601, though it says neither`() throws {
    let webcam = try settings(FourCC("YUYV")) { $0.colorspace = V4L2_COLORSPACE_SRGB.rawValue }
    #expect(
      webcam == [
        "colorspace": "srgb", "ycbcr-encoding": "601", "quantization": "limited", "transfer-function": "srgb",
      ])
  }

  @Test func `what the driver says comes before the defaults`() throws {
    let full = try settings(FourCC("NV12")) {
      $0.colorspace = V4L2_COLORSPACE_REC709.rawValue
      $0.encoding = V4L2_YCBCR_ENC_601.rawValue
      $0.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
      $0.transfer = V4L2_XFER_FUNC_NONE.rawValue
    }
    #expect(
      full == [
        "colorspace": "rec-709", "ycbcr-encoding": "601", "quantization": "full", "transfer-function": "none",
      ])
    #expect(try settings(FourCC("NV12")) { $0.colorspace = V4L2_COLORSPACE_REC709.rawValue }["ycbcr-encoding"] == "709")
    #expect(try settings(FourCC("YUYV")) { $0.colorspace = V4L2_COLORSPACE_JPEG.rawValue }["quantization"] == "full")
    #expect(try settings(FourCC("YUYV")) { $0.colorspace = 200 }["colorspace"] == "v4l2-200")
  }

  @Test func `RGB has full range and no encoding; JPEG and depth say nothing`() throws {
    let rgb = try settings(FourCC("RGB3")) { $0.colorspace = V4L2_COLORSPACE_SRGB.rawValue }
    #expect(rgb == ["colorspace": "srgb", "quantization": "full", "transfer-function": "srgb"])
    #expect(try settings(FourCC("MJPG")) { _ in }.isEmpty)
    #expect(try settings(FourCC("Z16 ")) { _ in }.isEmpty)
  }
}
