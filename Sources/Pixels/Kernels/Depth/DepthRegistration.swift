/// Registers a Kinect's depth to its 640x480 colour, bit-equal to libfreenect 0.5.3's
/// FREENECT_DEPTH_REGISTERED. Each depth pixel moves to where the colour camera sees its point. The
/// nearest of overlapping points wins; pixels without a point are holes.
package struct DepthRegistration: Sendable {
  /// A depth pixel's position in colour, without the shift by its distance.
  private struct Target {
    /// In 1/256 pixel.
    var x: Int32
    /// Index of its row's first sample, minus the padding; wraps.
    var row: UInt32
  }

  private let targets: [Target]
  /// Indexed by millimetres; in 1/256 pixel.
  private let shifts: [Int32]

  package static var width: Int { KinectDepthTables.width }
  package static var height: Int { KinectDepthTables.height }

  package init(_ calibration: KinectCalibration) {
    // libfreenect multiplies by the height, where the width would be right; devices send 0.
    let padding = UInt32(Self.height) * UInt32(calibration.padding.startLines)
    targets = KinectDepthTables.places(calibration).map { place in
      Target(x: place.x, row: UInt32(bitPattern: place.y) &* UInt32(Self.width) &- padding)
    }
    shifts = KinectDepthTables.shifts(calibration)
  }

  /// Writes the whole result of 640 x 480 samples, 0 = hole.
  /// - Parameter rowMillimeters: writes a row of the depth camera's view, 640 samples.
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
              // Rounds towards 0: up to a pixel left of the picture falls into its first column.
              let column = UInt32(bitPattern: (place.x &+ shifts[Int(millimeters)]) / KinectDepthTables.stepsPerPixel)
              guard column < UInt32(width) else { continue }
              let index = place.row &+ column
              // libfreenect writes outside its picture here, which no device's calibration causes.
              guard index < count else { continue }
              // A hole minus one wraps to the farthest value.
              if target[Int(index)] &- 1 >= millimeters { target[Int(index)] = millimeters }
            }
          }
        }
      }
    }
  }
}
