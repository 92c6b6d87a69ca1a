import CKernels

/// The farthest depth seen so far at each pixel of a camera that stands still. What comes nearer than
/// that has moved there.
///
/// A farther distance counts once it was measured in three maps in a row, so that single outliers are
/// not remembered forever. If a quarter of the known pixels become farther, the camera was moved, and
/// what was seen is forgotten.
package final class SeenDepth {
  /// The camera was moved if more than 1 / `moved` of the known pixels show something farther.
  private static let moved = 4

  /// 255 where the last depth map is nearer than what was seen before, 0 elsewhere.
  package let isNearer: PixelPlane<UInt8>
  package private(set) var nearerCount = 0

  private let near: PixelPlane<UInt16>
  private let far: PixelPlane<UInt16>
  private let candidate: PixelPlane<UInt16>
  private let sightings: PixelPlane<UInt8>
  private static let noise = KernelTable(BackgroundPlate.noise)
  /// An `RTKSeenTally` for each row.
  private let tallies: PixelPlane<Int32>
  private let processor: Processor

  package init(width: Int, height: Int, processor: Processor = .best) {
    isNearer = PixelPlane(width: width, height: height)
    near = PixelPlane(width: width, height: height)
    far = PixelPlane(width: width, height: height)
    candidate = PixelPlane(width: width, height: height)
    sightings = PixelPlane(width: width, height: height)
    tallies = PixelPlane(width: 3, height: height)
    self.processor = processor
  }

  /// Adds the next depth map, in millimetres, 0 = missing, which is never nearer.
  /// - Returns: false if the camera was moved, and what was seen is forgotten.
  package func add(_ depth: PixelPlane<UInt16>, bands: BandRunner) -> Bool {
    let seen = RTKSeenDepth(
      near: near.samples, far: far.samples, candidate: candidate.samples, sightings: sightings.samples,
      isNearer: isNearer.samples, noise: Self.noise.address)
    bands.run(rowCount: depth.height) { rows in
      var seen = seen
      for y in rows {
        tallies.row(y).withMemoryRebound(to: RTKSeenTally.self, capacity: 1) { tally in
          rtk_add_seen_depth(processor.choice, &seen, depth.samples, y * depth.width, depth.width, tally)
        }
      }
    }
    var (known, farther) = (0, 0)
    nearerCount = 0
    for y in 0..<depth.height {
      let tally = tallies.row(y)
      known += Int(tally[0])
      farther += Int(tally[1])
      nearerCount += Int(tally[2])
    }
    let isMoved = farther > known / Self.moved
    if isMoved { forget() }
    return !isMoved
  }

  package func forget() {
    near.fill(0)
    far.fill(0)
    sightings.fill(0)
    isNearer.fill(0)
    nearerCount = 0
  }
}
