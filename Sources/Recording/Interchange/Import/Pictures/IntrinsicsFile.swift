import FrameModel
import Kernels
import Support

/// Reads a pinhole camera's intrinsics from a data set's text file: a matrix of 3x3 (7-Scenes,
/// TSDF-fusion) or 4x4 numbers (ScanNet), the four numbers fx, fy, cx, cy, or Open3D's JSON. They are in
/// pixels of the data set's pictures.
package enum IntrinsicsFile {
  static let largestByteCount = 1 << 16

  /// - Parameter layout: of the pictures.
  /// - Throws: `.corrupt` for a file of another form or with impossible numbers; `.usage` if it is for pictures of
  ///   another size.
  package static func read(_ path: String, for layout: FrameLayout) throws(RetakeError) -> CameraIntrinsics {
    let text = String(decoding: try FileBytes.read(path, limit: largestByteCount), as: UTF8.self)
    if let camera = try Open3DCamera(text, of: path) { return try camera.intrinsics(for: layout) }
    let words = text.split { $0.isWhitespace || $0 == "," || $0 == ";" }
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count, let lens = pinhole(numbers) else { throw unreadable(path) }
    let terms = [lens.fx, lens.fy, lens.cx, lens.cy]
    guard let intrinsics = CameraIntrinsics(terms), terms.allSatisfy({ abs($0) <= largestTerm }) else {
      throw unreadable(path)
    }
    return intrinsics
  }

  private static func unreadable(_ path: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) has no intrinsics that Retake can read.",
      hint: "it should have a matrix of 3x3 or 4x4 numbers, the four numbers fx fy cx cy, in pixels, or Open3D's JSON")
  }

  /// Pixels: far beyond any lens.
  private static let largestTerm = 1e6

  /// - Returns: nil if the numbers are no such matrix.
  private static func pinhole(_ numbers: [Double]) -> CameraIntrinsics.Pinhole? {
    switch numbers.count {
    case 4: return .init(fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3])
    case 9: return try? .init(matrix: numbers)
    case 16:
      guard [3, 7, 11, 12, 13, 14].allSatisfy({ numbers[$0] == 0 }), numbers[15] == 1 else { return nil }
      return try? .init(matrix: [0, 1, 2, 4, 5, 6, 8, 9, 10].map { numbers[$0] })
    default: return nil
    }
  }
}
