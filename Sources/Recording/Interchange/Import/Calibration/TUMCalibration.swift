import Kernels

/// Lenses of the three Kinects of TUM's RGB-D benchmark, as its page on file formats states them
/// (Intrinsic Camera Calibration of the Kinect, RGB). Its depth lies over colour.
enum TUMCalibration {
  typealias Lens = (pinhole: CameraIntrinsics.Pinhole, distortion: [Double])

  static let names = "tum:freiburg1, tum:freiburg2 and tum:freiburg3"

  static func named(_ name: String) -> Lens? {
    switch name {
    case "tum:freiburg1":
      (.init(fx: 517.3, fy: 516.5, cx: 318.6, cy: 255.3), [0.2624, -0.9531, -0.0054, 0.0026, 1.1633])
    case "tum:freiburg2":
      (.init(fx: 520.9, fy: 521.0, cx: 325.1, cy: 249.7), [0.2312, -0.7849, -0.0033, -0.0001, 0.9172])
    case "tum:freiburg3": (.init(fx: 535.4, fy: 539.2, cx: 320.1, cy: 247.6), [])
    default: nil
    }
  }
}
