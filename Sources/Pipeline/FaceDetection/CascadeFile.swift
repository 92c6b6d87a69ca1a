import COpenCV
import FrameModel
import Networks
import Support

/// An OpenCV cascade, loaded from its XML file. Serves one thread at a time.
package final class CascadeFile: @unchecked Sendable {
  // Unchecked because of the handle, which one thread at a time uses.
  private let handle: OpaquePointer
  private let openCV: OpenCVLibrary
  private let path: String
  /// Side of the smallest face that can be found, in pixels.
  let window: Int
  private var boxes = [retake_cv_box](repeating: retake_cv_box(), count: Int(mostBoxes))

  /// Version of the OpenCV that searches.
  package var version: String { openCV.version }

  /// Where Debian's opencv-data installs cascades.
  package static let folder = "/usr/share/opencv4"

  /// - Throws: `.unsupported` without OpenCV, `.notFound` for a missing file, `.corrupt` for one that is not a cascade.
  package init(path: String) throws(RetakeError) {
    openCV = try OpenCVLibrary.load()
    let functions = openCV.functions
    let bytes = try Self.read(path)
    // Debian's cascades are as trustworthy as OpenCV itself, and a trial delays each start.
    let limit = path.hasPrefix(Self.folder + "/") ? 0 : modelTrialLimitSeconds
    var error = retake_cv_error()
    let opened = bytes.withUnsafeBytes { functions.retake_cascade_open($0.baseAddress, $0.count, limit, &error) }
    guard let handle = opened else {
      throw RetakeError(
        .corrupt, "\(path) is not a face cascade: \(error.message).",
        hint: "OpenCV's own cascades are in \(Self.folder), from Debian's package opencv-data")
    }
    self.handle = handle
    self.path = path
    window = Int(functions.retake_cascade_window(handle))
  }

  deinit { openCV.functions.retake_cascade_close(handle) }

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
  private static let mostBoxes: Int32 = 4096

  struct Match {
    var box: FaceObservation.Box
    /// The number of overlapping windows that matched.
    var votes: Int
  }

  /// Where to search a picture, and for squares of which sizes.
  struct Search {
    /// Pixels of the picture; clipped to it.
    var region: FaceObservation.Box
    /// Limits of the squares' sides, in pixels; a largest side of 0 is no limit.
    var sides: (smallest: Double, largest: Double)
    /// Ratio between successive sizes, above 1.
    var scale: Double
    /// Of the picture that is searched.
    var zoom = GreyImage.Zoom.none
  }

  /// Searches a region of a picture.
  /// - Returns: squares, by votes; among equals the larger, then the upper left one comes first.
  func matches(in picture: GreyImage, _ search: Search, neighbors: Int) throws(RetakeError) -> [Match] {
    try group(windows(in: picture, search), neighbors: neighbors)
  }

  /// Searches a region of a picture.
  /// - Returns: all squares that match, in pixels of the picture, ungrouped and in a fixed order.
  func windows(in picture: GreyImage, _ search: Search) throws(RetakeError) -> [FaceObservation.Box] {
    let region = search.region
    let left = Self.inside(region.x.rounded(.down), picture.width)
    let top = Self.inside(region.y.rounded(.down), picture.height)
    let right = Self.inside((region.x + region.width).rounded(.up), picture.width)
    let bottom = Self.inside((region.y + region.height).rounded(.up), picture.height)
    let zoom = search.zoom.rawValue
    guard (right - left) * zoom >= window, (bottom - top) * zoom >= window else { return [] }
    let part = picture.part(left: left, top: top, right: right, bottom: bottom, search.zoom)
    var view = retake_cv_picture(
      samples: part.samples, width: Int32(part.width), height: Int32(part.height), bytes_per_row: part.bytesPerRow)
    var search = retake_cascade_search(
      scale: search.scale, neighbors: 0, smallest: Int32(max(window, Int(search.sides.smallest * Double(zoom)))),
      largest: Int32(search.sides.largest * Double(zoom)))
    var error = retake_cv_error()
    let count = openCV.functions.retake_cascade_find(handle, &view, &search, &boxes, Self.mostBoxes, &error)
    withExtendedLifetime(picture) {}
    guard count >= 0 else { throw unusable(error) }
    return boxes.prefix(Int(count)).map { box in
      FaceObservation.Box(
        x: Double(Int(box.x)) / Double(zoom) + Double(left), y: Double(Int(box.y)) / Double(zoom) + Double(top),
        width: Double(box.width) / Double(zoom), height: Double(box.height) / Double(zoom))
    }
  }

  /// Merges squares that lie over each other, and drops those with fewer than `neighbors` beside them.
  /// - Returns: as of `matches`.
  func group(_ windows: [FaceObservation.Box], neighbors: Int) throws(RetakeError) -> [Match] {
    // In quarter pixels, which all windows lie on.
    let unit = Double(GreyImage.Zoom.fourfold.rawValue)
    var grouped = windows.prefix(Int(Self.mostBoxes)).map {
      retake_cv_box(
        x: Int32($0.x * unit), y: Int32($0.y * unit), width: Int32($0.width * unit), height: Int32($0.height * unit),
        votes: 1)
    }
    var error = retake_cv_error()
    let count = openCV.functions.retake_cascade_group(&grouped, Int32(grouped.count), Int32(neighbors), &error)
    guard count >= 0 else { throw unusable(error) }
    return grouped.prefix(Int(count)).map { box in
      Match(
        box: FaceObservation.Box(
          x: Double(box.x) / unit, y: Double(box.y) / unit, width: Double(box.width) / unit,
          height: Double(box.height) / unit),
        votes: Int(box.votes))
    }.sorted {
      ($1.votes, $1.box.width, $0.box.y, $0.box.x) < ($0.votes, $0.box.width, $1.box.y, $1.box.x)
    }
  }

  private func unusable(_ error: retake_cv_error) -> RetakeError {
    RetakeError(.device, "\(path) cannot be used: \(error.message).", hint: "choose another detector")
  }

  private static func inside(_ coordinate: Double, _ length: Int) -> Int {
    Int(min(max(coordinate, 0), Double(length)))
  }
}
