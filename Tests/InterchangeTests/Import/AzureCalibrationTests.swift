import Interchange
import Kernels
import Testing

/// The calibration that an Azure Kinect's recorder attaches to its file.
@Suite struct AzureCalibrationTests {
  /// Lens terms that tell one from another: cx, cy, fx, fy, k1 … k6, two without meaning, p2, p1.
  private static let terms = [0.5, 0.25, 0.75, 1, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 9, 9, 0.07, 0.08]
  /// A quarter turn about z.
  private static let turned = "[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]"
  private static let upright = "[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]"

  private func text(
    terms: [Double] = terms, rotation: String = turned, model: String = "BrownConrady", height: String = "3072.0"
  ) -> String {
    func camera(_ place: String, _ rotation: String, _ translation: String) -> String {
      """
      {"Location": "CALIBRATION_CameraLocation\(place)", "SensorWidth": 4096.0, "SensorHeight": \(height),
       "Intrinsics": {"ModelType": "CALIBRATION_LensDistortionModel\(model)", "ModelParameters": \(terms)},
       "Rt": {"Rotation": \(rotation), "Translation": \(translation)}}
      """
    }
    let cameras = camera("D0", Self.upright, "[0.001, 0.0, 0.0]") + "," + camera("PV0", rotation, "[0.5, 0.25, 0.0]")
    return "{\"CalibrationInformation\": {\"Cameras\": [\(cameras)]}}"
  }

  @Test func `lens terms are in pixels of the mode's own pictures`() throws {
    let calibration = try #require(AzureCalibration(text()))
    let lens = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.07]
    // The sensor's 1024x1024 pixels, of which the mode shows a part from (192, 180).
    #expect(
      calibration.depthIntrinsics(width: 640, height: 576)
        == CameraIntrinsics([768, 1024, 512 - 192 - 0.5, 256 - 180 - 0.5] + lens))
    // Binned to 512x512.
    #expect(
      calibration.depthIntrinsics(width: 320, height: 288)
        == CameraIntrinsics([384, 512, 256 - 96 - 0.5, 128 - 90 - 0.5] + lens))
    // 16:9 is the middle of 4:3.
    #expect(
      calibration.colorIntrinsics(width: 1280, height: 720)
        == CameraIntrinsics([960, 960, 640 - 0.5, 240 - 120 - 0.5] + lens))
    #expect(calibration.depthIntrinsics(width: 639, height: 576) == nil)
    #expect(calibration.colorIntrinsics(width: 1000, height: 1000) == nil)
  }

  @Test func `a point of the depth camera is where the colour camera sees it`() throws {
    let pose = try #require(AzureCalibration(text())?.extrinsics)
    #expect(pose.rotation == [0, -1, 0, 1, 0, 0, 0, 0, 1])
    // A quarter turn takes the depth camera's own 1 mm along x to y.
    #expect(zip(pose.translationMillimeters, [500, 249, 0]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `what is no such calibration is nil, and a pose that is no rotation is left out`() throws {
    for other in [
      "", "{", "[]", "{\"CalibrationInformation\": 7}", "{\"CalibrationInformation\": {\"Cameras\": []}}",
      text(terms: Array(Self.terms.dropLast())), text(rotation: "[1.0, 0.0]"), text(rotation: "\"none\""),
      text(model: "Unknown"), text(height: "\"tall\""),
    ] { #expect(AzureCalibration(other) == nil, "\(other)") }
    let skewed = try #require(AzureCalibration(text(rotation: Self.upright.replacing("1.0", with: "2.0"))))
    #expect(skewed.extrinsics == nil)
    let flat = try #require(AzureCalibration(text(terms: [Double](repeating: 0, count: 14))))
    #expect(flat.depthIntrinsics(width: 640, height: 576) == nil)
  }
}
