import Foundation
import FrameModel
import Kernels
import Support

/// A camera as Open3D writes it to JSON: a `PinholeCameraIntrinsic`, alone or within `PinholeCameraParameters`, or the
/// `intrinsic.json` that its readers of recordings save beside pictures. The centre of the first pixel is (0, 0).
struct Open3DCamera {
  private let name: String
  private let width: Int
  private let height: Int
  private let pinhole: CameraIntrinsics.Pinhole
  /// Unit of the saved depth; only `intrinsic.json` has it.
  let unit: DepthUnit?
  /// Frame rate of the recording; only `intrinsic.json` has it.
  let rate: FrameRate?
  private static let hint = "give the four numbers fx fy cx cy of these pictures in a text file"

  /// - Parameter name: the file's, for errors.
  /// - Returns: nil if the text is not such JSON.
  /// - Throws: `.usage` for a matrix that is not a camera's.
  init?(_ text: String, of name: String) throws(RetakeError) {
    let file = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    let object = file?["intrinsic"] as? [String: Any] ?? file
    guard let columns = object?["intrinsic_matrix"] as? [Double], columns.count == 9,
      let width = object?["width"] as? Int, let height = object?["height"] as? Int
    else { return nil }
    // Open3D writes the matrix column by column.
    let matrix = (0..<9).map { columns[$0 % 3 * 3 + $0 / 3] }
    do throws(RetakeError) {
      pinhole = try CameraIntrinsics.Pinhole(matrix: matrix)
    } catch {
      throw RetakeError(.usage, "\(name): \(error.message)", hint: Self.hint)
    }
    (self.name, self.width, self.height) = (name, width, height)
    unit = (file?["depth_scale"] as? Double).flatMap(Self.statedUnit)
    rate = (file?["fps"] as? Double).flatMap(Self.statedRate)
  }

  private static func statedUnit(countsInMeter: Double) -> DepthUnit? {
    let whole = countsInMeter.rounded()
    // The reciprocal of a Float, so it may be slightly off.
    guard abs(countsInMeter - whole) <= 1e-4 * whole, let count = Int(exactly: whole) else { return nil }
    return try? DepthUnit("\(count)")
  }

  private static func statedRate(framesPerSecond: Double) -> FrameRate? {
    guard (PictureOptions.slowestRate...PictureOptions.fastestRate).contains(framesPerSecond) else { return nil }
    return FrameRate("\(framesPerSecond)")
  }

  func fits(_ layout: FrameLayout) -> Bool { (layout.width, layout.height) == (width, height) }

  /// - Throws: `.usage` for pictures of another size and for impossible numbers.
  func intrinsics(for layout: FrameLayout) throws(RetakeError) -> CameraIntrinsics {
    guard fits(layout) else {
      throw RetakeError(
        .usage,
        "\(name) has the lens of pictures of \(width)x\(height), but these are \(layout.width)x\(layout.height).",
        hint: Self.hint)
    }
    do throws(RetakeError) {
      return try CameraIntrinsics(pinhole, distortion: [], width: width, height: height)
    } catch {
      throw RetakeError(.usage, "\(name): \(error.message)", hint: Self.hint)
    }
  }
}
