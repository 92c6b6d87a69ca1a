import FrameModel

/// Lays a Kinect's depth over its colour picture of 640x480, bit-equal to libfreenect 0.5.3's FREENECT_DEPTH_REGISTERED:
/// each depth pixel moves to where the colour camera sees its point. Where two fall together the nearer one stays; where
/// none falls there is a hole.
package struct DepthRegistration: Sendable {
  /// Where a depth pixel goes, but for what its distance adds.
  private struct Target {
    /// In 256ths of a pixel.
    var x: Int32
    /// Sample at which its row begins, less the padding; wraps.
    var row: UInt32
  }

  private let targets: [Target]
  /// By millimetres; 0 where nothing is laid down.
  private let shifts: [Int32]

  package static var width: Int { KinectDepthTables.width }
  package static var height: Int { KinectDepthTables.height }

  package init(_ calibration: KinectCalibration) {
    // libfreenect multiplies the lines by the height, where the width would be right; devices send 0.
    let padding = UInt32(Self.height) * UInt32(calibration.padding.startLines)
    targets = KinectDepthTables.places(calibration).map { place in
      Target(x: place.x, row: UInt32(bitPattern: place.y) &* UInt32(Self.width) &- padding)
    }
    shifts = KinectDepthTables.shifts(calibration)
  }

  /// Writes all of the colour camera's view.
  /// - Parameters:
  ///   - rowMillimeters: writes a row of the depth camera's view, 640 samples.
  ///   - target: 640 x 480 samples, 0 = hole.
  package func register(
    to target: UnsafeMutablePointer<UInt16>, _ rowMillimeters: (Int, UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let (width, height) = (Self.width, Self.height)
    let count = UInt32(width * height)
    target.update(repeating: 0, count: width * height)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { row in
      guard let row = row.baseAddress else { return }
      targets.withUnsafeBufferPointer { targets in
        shifts.withUnsafeBufferPointer { shifts in
          for y in 0..<height {
            rowMillimeters(y, row)
            for x in 0..<width {
              let millimeters = row[x]
              guard millimeters != 0, Int(millimeters) < shifts.count else { continue }
              let place = targets[y * width + x]
              // Rounded towards 0: what lies up to a pixel left of the picture falls into its first column.
              let column = UInt32(bitPattern: (place.x &+ shifts[Int(millimeters)]) / KinectDepthTables.stepsPerPixel)
              guard column < UInt32(width) else { continue }
              let index = place.row &+ column
              // Here libfreenect writes outside its picture, which no device's calibration brings about.
              guard index < count else { continue }
              // A hole, taken down by one, is farther than anything.
              if target[Int(index)] &- 1 >= millimeters { target[Int(index)] = millimeters }
            }
          }
        }
      }
    }
  }
}
