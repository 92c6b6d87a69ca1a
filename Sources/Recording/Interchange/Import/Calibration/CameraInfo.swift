import Kernels
import Support

/// What sensor_msgs/CameraInfo and foxglove.CameraCalibration say of a camera.
struct CameraInfo: Hashable {
  /// A part of the sensor's pixels; empty for the whole.
  struct Region: Hashable {
    var x = 0
    var y = 0
    var width = 0
    var height = 0
  }

  /// Name of the camera's frame of reference.
  var frame: String
  /// The pictures that were calibrated.
  var width: Int
  var height: Int
  var distortionModel: String
  /// In OpenCV's order.
  var d: [Double]
  /// Camera matrix, 3 × 3.
  var k: [Double]
  /// Rectification, 3 × 3.
  var r: [Double]
  /// Projection of rectified pictures, 3 × 4.
  var p: [Double]
  /// Pixels of the sensor for one of the picture; 0 stands for 1.
  var binning: (x: Int, y: Int) = (0, 0)
  var region = Region()

  static func == (a: CameraInfo, b: CameraInfo) -> Bool {
    (a.frame, a.width, a.height, a.distortionModel) == (b.frame, b.width, b.height, b.distortionModel)
      && (a.d, a.k, a.r, a.p) == (b.d, b.k, b.r, b.p) && a.binning == b.binning && a.region == b.region
  }

  func hash(into hasher: inout Hasher) { hasher.combine(k) }

  private static let longestModel = 32
  /// More than any lens model has.
  static let largestCoefficientCount = 64
  private static let largestBinning = 64

  /// The lens of pictures of a topic.
  /// - Parameter isRectified: the pictures are rectified ones, to which P belongs.
  /// - Throws: why they have none, for the end of a sentence.
  func lens(width pictureWidth: Int, height pictureHeight: Int, isRectified: Bool) throws(RetakeError)
    -> CameraIntrinsics
  {
    let matrix = isRectified && p.count == 12 && p[0] != 0 ? (0..<9).map { p[$0 / 3 * 4 + $0 % 3] } : k
    guard matrix.count == 9, matrix[0] != 0 else {
      throw RetakeError(.unsupported, "it says that the camera is not calibrated")
    }
    if isRectified, r.count == 9, r.contains(where: { $0 != 0 }) {
      let turned = zip(r, CameraExtrinsics.identity.rotation).contains { abs($0 - $1) > 0.001 }
      guard !turned else {
        throw RetakeError(.unsupported, "its pictures are turned by the rectification of a stereo pair")
      }
    }
    let distortion = try isRectified ? [] : checkedDistortion()
    var pinhole = try CameraIntrinsics.Pinhole(matrix: matrix)
    guard (0...Self.largestBinning).contains(binning.x), (0...Self.largestBinning).contains(binning.y) else {
      throw RetakeError(.corrupt, "its binning is \(binning.x)x\(binning.y); the limit is \(Self.largestBinning)")
    }
    // As ROS' image_geometry: first the region of the sensor, then the binning.
    let (bx, by) = (max(1, binning.x), max(1, binning.y))
    pinhole.cx = (pinhole.cx - Double(region.x)) / Double(bx)
    pinhole.cy = (pinhole.cy - Double(region.y)) / Double(by)
    pinhole.fx /= Double(bx)
    pinhole.fy /= Double(by)
    let whole = (region.width > 0 ? region.width : width, region.height > 0 ? region.height : height)
    guard (whole.0 / bx, whole.1 / by) == (pictureWidth, pictureHeight) || width == 0 && height == 0 else {
      throw RetakeError(
        .unsupported, "it is for pictures of \(whole.0 / bx)x\(whole.1 / by), not \(pictureWidth)x\(pictureHeight)")
    }
    return try CameraIntrinsics(pinhole, distortion: distortion, width: pictureWidth, height: pictureHeight)
  }

  private func checkedDistortion() throws(RetakeError) -> [Double] {
    switch distortionModel {
    // RealSense's SDK calls plumb_bob by its authors.
    case "plumb_bob", "rational_polynomial", "Brown Conrady", "": return d
    // RealSense's names of the same model; devices with either have coefficients of 0.
    default:
      let isFisheye = ["equidistant", "kannala_brandt", "fisheye"].contains(distortionModel)
      guard d.allSatisfy({ $0 == 0 }), !isFisheye else {
        let name = String(distortionModel.prefix(Self.longestModel))
        throw RetakeError(.unsupported, "lens model '\(name)' is not supported; plumb_bob and rational_polynomial are")
      }
      return []
    }
  }
}

extension CameraInfo {
  /// sensor_msgs/CameraInfo, fields in order of definition.
  init(ros bytes: UnsafeRawBufferPointer, isVersion1: Bool) throws(RetakeError) {
    var fields = isVersion1 ? CDRReader(version1: bytes) : try CDRReader(bytes)
    frame = try fields.headerFrame(isVersion1: isVersion1)
    height = Int(try fields.uint32())
    width = Int(try fields.uint32())
    distortionModel = try fields.string()
    d = try fields.floats(limit: Self.largestCoefficientCount)
    k = try fields.floats(9)
    r = try fields.floats(9)
    p = try fields.floats(12)
    binning = (Int(try fields.uint32()), Int(try fields.uint32()))
    region.x = Int(try fields.uint32())
    region.y = Int(try fields.uint32())
    region.height = Int(try fields.uint32())
    region.width = Int(try fields.uint32())
  }
}

extension CDRReader {
  /// Reads std_msgs/Header. In ROS 1 a sequence number comes first.
  /// - Returns: the frame of reference.
  mutating func headerFrame(isVersion1: Bool) throws(RetakeError) -> String {
    if isVersion1 { _ = try uint32() }
    _ = try uint32()
    _ = try uint32()
    return try string()
  }
}
