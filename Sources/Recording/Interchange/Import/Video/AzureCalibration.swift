import Foundation
import FrameModel
import Kernels

/// Intrinsics and relative pose of an Azure Kinect's cameras, from a recording's calibration.
///
/// The file has intrinsics as fractions of the sensor's width and height, from the corner of the
/// first pixel. A mode bins and crops the sensor. The constants are those of Microsoft's k4a
/// library (transformation/mode_specific_calibration.c of the Azure Kinect Sensor SDK).
package struct AzureCalibration {
  private struct Camera {
    let parameters: [Double]
    let rotation: [Double]
    let translationMeters: [Double]
    /// The calibration covers a 16:9 part of the sensor.
    let isWide: Bool
  }

  /// The part of the binned sensor that a mode shows.
  private struct Mode {
    let binned: (width: Double, height: Double)
    let offset: (x: Double, y: Double)
  }

  private let depth: Camera
  private let color: Camera

  /// - Parameter text: JSON. The result is nil if it is not such a calibration.
  package init?(_ text: String) {
    let object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    let information = object?["CalibrationInformation"] as? [String: Any]
    let cameras = information?["Cameras"] as? [[String: Any]] ?? []
    func camera(_ location: String) -> Camera? {
      cameras.first { $0["Location"] as? String == "CALIBRATION_CameraLocation\(location)" }.flatMap(Self.camera)
    }
    guard let depth = camera("D0"), let color = camera("PV0") else { return nil }
    (self.depth, self.color) = (depth, color)
  }

  private static func camera(_ object: [String: Any]) -> Camera? {
    let (lens, place) = (object["Intrinsics"] as? [String: Any], object["Rt"] as? [String: Any])
    // Other models, of early devices that were never sold, are not supported.
    guard lens?["ModelType"] as? String == "CALIBRATION_LensDistortionModelBrownConrady",
      let parameters = lens?["ModelParameters"] as? [Double], parameters.count >= 14,
      let rotation = place?["Rotation"] as? [Double], rotation.count == 9,
      let translation = place?["Translation"] as? [Double], translation.count == 3,
      let width = object["SensorWidth"] as? Double, let height = object["SensorHeight"] as? Double
    else { return nil }
    return Camera(
      parameters: parameters, rotation: rotation, translationMeters: translation, isWide: width * 9 == height * 16)
  }

  /// For depth and infrared pictures; nil if the size is that of no mode.
  package func depthIntrinsics(width: Int, height: Int) -> CameraIntrinsics? {
    let mode: Mode? =
      switch (width, height) {
      case (320, 288): Mode(binned: (512, 512), offset: (96, 90))
      case (640, 576): Mode(binned: (1024, 1024), offset: (192, 180))
      case (512, 512): Mode(binned: (512, 512), offset: (0, 0))
      case (1024, 1024): Mode(binned: (1024, 1024), offset: (0, 0))
      default: nil
      }
    return mode.flatMap { Self.intrinsics(depth, $0) }
  }

  package func colorIntrinsics(width: Int, height: Int) -> CameraIntrinsics? {
    // The sensor is 4:3; 16:9 pictures are cropped from its middle.
    let whole = (width: Double(width), height: Double(width) * 3 / 4)
    let cut = (whole.height - Double(height)) / 2
    guard width * 3 == height * 4 || width * 9 == height * 16 else { return nil }
    // An old calibration covers only the 16:9 part.
    if color.isWide {
      let wide = (width: Double(width), height: Double(width) * 9 / 16)
      return Self.intrinsics(color, Mode(binned: wide, offset: (0, (wide.height - Double(height)) / 2)))
    }
    return Self.intrinsics(color, Mode(binned: whole, offset: (0, cut)))
  }

  private static func intrinsics(_ camera: Camera, _ mode: Mode) -> CameraIntrinsics? {
    let p = camera.parameters
    // Input: cx, cy, fx, fy, k1 ... k6, two that are 0 in this model, p2, p1. Output: fx, fy, cx,
    // cy, k1 ... k6, p1, p2, in pixels from the middle of the first one.
    return CameraIntrinsics([
      p[2] * mode.binned.width, p[3] * mode.binned.height, p[0] * mode.binned.width - mode.offset.x - 0.5,
      p[1] * mode.binned.height - mode.offset.y - 0.5, p[4], p[5], p[6], p[7], p[8], p[9], p[13], p[12],
    ])
  }

  /// From depth to colour. The file gives each camera's pose in a common frame of reference.
  package var extrinsics: CameraExtrinsics? {
    let (d, c) = (depth.rotation, color.rotation)
    // R = C · Dᵀ, t = tc − R · td.
    var rotation = [Double](repeating: 0, count: 9)
    var translation = color.translationMeters
    for i in 0..<3 {
      for j in 0..<3 {
        for k in 0..<3 { rotation[3 * i + j] += c[3 * i + k] * d[3 * j + k] }
        translation[i] -= rotation[3 * i + j] * depth.translationMeters[j]
      }
    }
    let millimeters = translation.map { $0 * 1000 }
    return CameraExtrinsics(rotation: rotation, translationMillimeters: millimeters)
  }

  func settings(_ kind: StreamKind, _ layout: FrameLayout) -> [StreamDescription.Setting] {
    switch kind {
    case .color: [colorIntrinsics(width: layout.width, height: layout.height)?.setting].compactMap { $0 }
    case .depth:
      [depthIntrinsics(width: layout.width, height: layout.height)?.setting, extrinsics?.setting].compactMap { $0 }
    case .infrared: [depthIntrinsics(width: layout.width, height: layout.height)?.setting].compactMap { $0 }
    case .alpha, .motion: []
    }
  }
}
