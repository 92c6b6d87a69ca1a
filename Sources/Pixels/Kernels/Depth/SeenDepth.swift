/// The farthest depth seen so far at each pixel of a camera that stands still. What comes nearer than
/// that has moved there.
///
/// A farther distance counts once it was measured in three maps in a row, so that single outliers are
/// not remembered forever. If a quarter of the known pixels become farther, the camera was moved, and
/// what was seen is forgotten.
package final class SeenDepth {
  private enum Rule {
    static let confirmations: UInt8 = 3
    /// Besides the sensor's noise: how much nearer a pixel is that has moved, and how much farther one
    /// that shows something new, in millimetres.
    static let (nearer, farther) = (60, 30)
    /// The camera was moved if more than 1 / `moved` of the known pixels show something farther.
    static let moved = 4
  }

  /// 255 where the last depth map is nearer than what was seen before, 0 elsewhere.
  package let isNearer: PixelPlane<UInt8>
  package private(set) var nearerCount = 0

  /// The farthest confirmed distance decides these: below the first, depth is nearer; above the
  /// second, something new is seen. 0 and 0 until one is confirmed.
  private let near: PixelPlane<UInt16>
  private let far: PixelPlane<UInt16>
  /// A farther distance that is not confirmed yet, and in how many maps in a row it was seen.
  private let candidate: PixelPlane<UInt16>
  private let sightings: PixelPlane<UInt8>
  /// Of each row: known pixels, those that show something farther, and those that are nearer.
  private let tallies: PixelPlane<Int32>

  package init(width: Int, height: Int) {
    isNearer = PixelPlane(width: width, height: height)
    near = PixelPlane(width: width, height: height)
    far = PixelPlane(width: width, height: height)
    candidate = PixelPlane(width: width, height: height)
    sightings = PixelPlane(width: width, height: height)
    tallies = PixelPlane(width: 3, height: height)
  }

  /// Adds the next depth map, in millimetres, 0 = missing, which is never nearer.
  /// - Returns: false if the camera was moved, and what was seen is forgotten.
  package func add(_ depth: PixelPlane<UInt16>, bands: BandRunner) -> Bool {
    bands.run(rowCount: depth.height) { rows in
      for y in rows { add(depth.row(y), row: y) }
    }
    var (known, farther) = (0, 0)
    nearerCount = 0
    for y in 0..<depth.height {
      let tally = tallies.row(y)
      known += Int(tally[0])
      farther += Int(tally[1])
      nearerCount += Int(tally[2])
    }
    let isMoved = farther > known / Rule.moved
    if isMoved { forget() }
    return !isMoved
  }

  private func forget() {
    near.fill(0)
    far.fill(0)
    sightings.fill(0)
    isNearer.fill(0)
    nearerCount = 0
  }

  private func add(_ depth: UnsafePointer<UInt16>, row: Int) {
    let (near, far, candidate) = (near.row(row), far.row(row), candidate.row(row))
    let (sightings, isNearer, width) = (sightings.row(row), isNearer.row(row), isNearer.width)
    var (known, farther, nearer): (Int32, Int32, Int32) = (0, 0, 0)
    BackgroundPlate.noise.withUnsafeBufferPointer { noise in
      for x in 0..<width {
        let distance = depth[x]
        let isKnown = far[x] != 0 && distance != 0
        if isKnown { known += 1 }
        if distance > far[x] {
          if isKnown { farther += 1 }
          let apart = abs(Int(distance) - Int(candidate[x]))
          if sightings[x] > 0, apart <= Rule.farther + Int(noise[Int(candidate[x])]) {
            candidate[x] = min(candidate[x], distance)
            sightings[x] += 1
          } else {
            (candidate[x], sightings[x]) = (distance, 1)
          }
          if sightings[x] == Rule.confirmations {
            let (seen, doubt) = (Int(candidate[x]), Int(noise[Int(candidate[x])]))
            near[x] = UInt16(max(0, seen - Rule.nearer - doubt))
            far[x] = UInt16(min(65_535, seen + Rule.farther + doubt))
            sightings[x] = 0
          }
        } else if distance != 0 {
          sightings[x] = 0
        }
        let hasMoved = distance != 0 && distance < near[x]
        isNearer[x] = hasMoved ? 255 : 0
        if hasMoved { nearer += 1 }
      }
    }
    let tally = tallies.row(row)
    (tally[0], tally[1], tally[2]) = (known, farther, nearer)
  }
}
