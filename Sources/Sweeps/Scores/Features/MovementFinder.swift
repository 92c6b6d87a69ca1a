import CKernels
import Kernels

/// Finds where something moved between two frames, so that flicker is measured elsewhere.
///
/// - **Picture**: differences are summed over 3 × 3 pixels in each channel, and the magnitudes of the
///   three sums are added. A pixel moved if the result is above seven times the median for pixels of
///   its brightness: about five standard deviations of the sensor's noise. The limit is at least 2 and
///   at most 12 steps per channel. Each median counts as at most twice the whole picture's.
/// - **Truth**, if both frames have it: a pixel moved if its opacity changed by more than 8 of 255.
/// - **Depth**, otherwise, if both frames have it: a pixel moved if most of the 5 × 5 pixels round it
///   changed by more than 3 σ of the difference, with the Kinect's σ and its quantisation. A hole
///   that comes or goes is not movement, since such holes are what makes mattes flicker.
///
/// Pixels close to a moved one, within 8 pixels per 640 of the picture's width, are not still either,
/// since a soft edge rightly changes there.
package final class MovementFinder {
  private let width: Int
  private let height: Int
  private let grid: DepthGrid?
  private let processor: RTKProcessor
  private let moved: BitPlane
  private let near: BitPlane
  private let change: UnsafeMutablePointer<UInt16>
  private let row: UnsafeMutablePointer<Int16>
  private let spreading: UnsafeMutableRawPointer
  private let depthMoved: UnsafeMutablePointer<UInt8>
  private let depthRows: UnsafeMutablePointer<UInt8>

  static let matteLimit: Int32 = 8

  static func radius(width: Int) -> Int { max(1, (8 * width + 320) / 640) }

  /// The change of depth that is movement, indexed by the larger of two distances in millimetres.
  static let depthLimits: [UInt16] = (0...65_535).map { distance in
    let meters = Double(distance) / 1000
    let noise = 3 * 2.0.squareRoot() * DepthNoise.sigma(millimeters: Double(distance))
    return UInt16(min(65_535, (noise + kinectStep * meters * meters).rounded(.up)))
  }
  /// One step of a Kinect's raw value at 1 m, in millimetres.
  private static let kinectStep = 3.07

  package init(width: Int, height: Int, depth grid: DepthGrid? = nil, _ processor: RTKProcessor = rtk_processor()) {
    precondition(width > 0 && height > 0)
    precondition(grid.map { $0.columns.count == width && $0.rows.count == height } ?? true)
    (self.width, self.height, self.grid, self.processor) = (width, height, grid, processor)
    moved = BitPlane(width: width, height: height)
    near = BitPlane(width: width, height: height)
    change = .allocate(capacity: width * height)
    row = .allocate(capacity: 3 * (width + 2))
    spreading = .allocate(byteCount: rtk_spread_scratch(Int32(width)), alignment: 64)
    depthMoved = .allocate(capacity: max(1, grid?.count ?? 0))
    depthRows = .allocate(capacity: max(1, 2 * (grid?.width ?? 0)))
  }

  deinit {
    change.deallocate()
    row.deallocate()
    spreading.deallocate()
    depthMoved.deallocate()
    depthRows.deallocate()
  }

  /// - Parameter picture: this frame's and the previous one's: packed RGB of this size.
  package func still(
    _ picture: (now: PlaneCopy<UInt8>, before: PlaneCopy<UInt8>),
    truth: TruthChange?, depth: (now: PlaneCopy<UInt16>, before: PlaneCopy<UInt16>)?
  ) -> StillPixels {
    precondition(picture.now.count == 3 * width * height && picture.before.count == picture.now.count)
    addPicture(picture.now.samples, picture.before.samples)
    let (columns, rows) = (Int32(width), Int32(height))
    if let truth {
      rtk_add_matte_moved(
        processor, truth.now.plane.samples, truth.before.plane.samples, Self.matteLimit, columns, rows, moved.words)
    } else if let depth, let grid {
      addDepth(depth.now, depth.before, grid)
    }
    rtk_spread(
      processor, moved.words, near.words, columns, rows, Int32(Self.radius(width: width)), spreading)
    let mask = ByteMask(count: width * height)
    var count: Int64 = 0
    rtk_mask_of_clear(processor, near.words, nil, truth?.judged?.samples, columns, rows, mask.samples, &count)
    return StillPixels(mask, count: Int(count), width: width, height: height)
  }

  private func addPicture(_ picture: UnsafePointer<UInt8>, _ before: UnsafePointer<UInt8>) {
    let (columns, rows) = (Int32(width), Int32(height))
    rtk_picture_change(processor, picture, before, columns, rows, change, row)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(RTKBrightnessCount)) { limits in
      rtk_change_limits(processor, change, picture, width * height, limits.baseAddress)
      rtk_picture_moved(processor, change, picture, limits.baseAddress, columns, rows, moved.words)
    }
  }

  private func addDepth(_ now: PlaneCopy<UInt16>, _ before: PlaneCopy<UInt16>, _ grid: DepthGrid) {
    precondition(now.count == grid.count && before.count == grid.count)
    var pair = RTKDepthPair(
      samples: now.samples, before: before.samples, width: Int32(grid.width), height: Int32(grid.height))
    rtk_depth_moved(processor, &pair, Self.depthLimits, depthMoved, depthRows)
    rtk_add_depth_moved(
      processor, depthMoved, Int32(grid.width), grid.columns, grid.rows, Int32(width), Int32(height), moved.words)
  }
}
