import FrameModel
import Kernels
import Support

/// Reads a pinhole camera's intrinsics from a data set's text file: a matrix of 3x3 (7-Scenes,
/// TSDF-fusion) or 4x4 numbers (ScanNet), or the four numbers fx, fy, cx, cy. They are in pixels of the
/// data set's pictures.
package enum IntrinsicsFile {
  private static let largestByteCount = 1 << 16

  /// - Throws: `.corrupt` for a file of another form or with impossible numbers.
  package static func read(_ path: String) throws(RetakeError) -> CameraIntrinsics {
    let text = String(decoding: try FileBytes.read(path, limit: largestByteCount), as: UTF8.self)
    let words = text.split { $0.isWhitespace || $0 == "," || $0 == ";" }
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count, let terms = terms(numbers), let intrinsics = CameraIntrinsics(terms),
      terms.allSatisfy({ abs($0) <= largestTerm })
    else {
      throw RetakeError(
        .corrupt, "\(path) has no intrinsics that Retake can read.",
        hint: "it should have a matrix of 3x3 or 4x4 numbers, or the four numbers fx fy cx cy, in pixels")
    }
    return intrinsics
  }

  /// Pixels: far beyond any lens.
  private static let largestTerm = 1e6

  /// - Returns: fx, fy, cx, cy; nil if the numbers are no such matrix.
  private static func terms(_ numbers: [Double]) -> [Double]? {
    if numbers.count == 4 { return numbers }
    guard let columns = [9: 3, 16: 4][numbers.count] else { return nil }
    let (fx, cx, fy, cy) = (numbers[0], numbers[2], numbers[columns + 1], numbers[columns + 2])
    var expected = [Double](repeating: 0, count: numbers.count)
    for i in 0..<columns { expected[i * columns + i] = 1 }
    (expected[0], expected[2], expected[columns + 1], expected[columns + 2]) = (fx, cx, fy, cy)
    // Skew, or anything else beside the diagonal, has no place in the lens model.
    return numbers == expected ? [fx, fy, cx, cy] : nil
  }
}
