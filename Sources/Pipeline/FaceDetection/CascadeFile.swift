import COpenCV
import FrameModel
import Networks
import Support

/// An OpenCV cascade, loaded from its XML file. Serves one thread at a time.
package final class CascadeFile: @unchecked Sendable {
  // Unchecked because of the handle, which one thread at a time uses.
  private let handle: OpaquePointer
  private let path: String
  /// Side of the smallest face that can be found, in pixels.
  let window: Int

  /// Where Debian's opencv-data installs cascades.
  package static let folder = "/usr/share/opencv4"

  /// - Throws: `.notFound` for a missing file, `.corrupt` for one that is not a cascade.
  package init(path: String) throws(RetakeError) {
    let bytes = try Self.read(path)
    // Debian's cascades are as trustworthy as OpenCV itself, and a trial delays each start.
    let limit = path.hasPrefix(Self.folder + "/") ? 0 : modelTrialLimitSeconds
    var error = retake_cv_error()
    let opened = bytes.withUnsafeBytes { retake_cascade_open($0.baseAddress, $0.count, limit, &error) }
    guard let handle = opened else {
      throw RetakeError(
        .corrupt, "\(path) is not a face cascade: \(error.message).",
        hint: "OpenCV's own cascades are in \(Self.folder), from Debian's package opencv-data")
    }
    self.handle = handle
    self.path = path
    window = Int(retake_cascade_window(handle))
  }

  deinit { retake_cascade_close(handle) }

  private static func read(_ path: String) throws(RetakeError) -> [UInt8] {
    do throws(RetakeError) {
      return try FileBytes.read(path, limit: largestByteCount)
    } catch {
      guard error.code == .notFound else { throw error }
      let isOwn = path.hasPrefix(folder)
      throw RetakeError(
        .notFound, "There is no file \(path).",
        hint: isOwn ? "install Debian's package opencv-data, or record with --faces none" : "check the path")
    }
  }

  /// OpenCV's largest cascade is 2.7 MB.
  private static let largestByteCount = 32 << 20
  private static let mostBoxes: Int32 = 64

  struct Match {
    var box: FaceObservation.Box
    /// The number of overlapping windows that matched.
    var votes: Int
  }

  /// Searches a region of a picture.
  /// - Parameters:
  ///   - region: pixels of the picture; clipped to it.
  ///   - sides: limits of the matches' sides, in pixels; a largest side of 0 is no limit.
  ///   - scale: ratio between successive sizes, above 1.
  /// - Returns: squares, by votes; among equals the larger, then the upper left one comes first.
  func matches(
    in picture: GreyImage, region: FaceObservation.Box, sides: (smallest: Int, largest: Int), scale: Double,
    neighbors: Int
  ) throws(RetakeError) -> [Match] {
    let left = Self.inside(region.x.rounded(.down), picture.width)
    let top = Self.inside(region.y.rounded(.down), picture.height)
    let right = Self.inside((region.x + region.width).rounded(.up), picture.width)
    let bottom = Self.inside((region.y + region.height).rounded(.up), picture.height)
    guard right - left >= window, bottom - top >= window else { return [] }
    var view = retake_cv_picture(
      samples: picture.samples + top * picture.width + left, width: Int32(right - left), height: Int32(bottom - top),
      bytes_per_row: picture.width)
    var search = retake_cascade_search(
      scale: scale, neighbors: Int32(neighbors), smallest: Int32(max(window, sides.smallest)),
      largest: Int32(sides.largest))
    var boxes = [retake_cv_box](repeating: retake_cv_box(), count: Int(Self.mostBoxes))
    var error = retake_cv_error()
    let count = retake_cascade_find(handle, &view, &search, &boxes, Self.mostBoxes, &error)
    withExtendedLifetime(picture) {}
    guard count >= 0 else {
      throw RetakeError(.device, "\(path) cannot be used: \(error.message).", hint: "choose another detector")
    }
    return boxes.prefix(Int(count)).map { box in
      Match(
        box: FaceObservation.Box(
          x: Double(Int(box.x) + left), y: Double(Int(box.y) + top), width: Double(box.width),
          height: Double(box.height)),
        votes: Int(box.votes))
    }.sorted {
      ($1.votes, $1.box.width, $0.box.y, $0.box.x) < ($0.votes, $0.box.width, $1.box.y, $1.box.x)
    }
  }

  private static func inside(_ coordinate: Double, _ length: Int) -> Int {
    Int(min(max(coordinate, 0), Double(length)))
  }
}
