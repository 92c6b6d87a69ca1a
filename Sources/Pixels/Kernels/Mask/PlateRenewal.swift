/// Follows slow changes of an empty scene, such as a chair that was moved: what stands still for long becomes
/// part of it.
///
/// The depth is looked at 8 times in that period. A pixel is still if no look differed from the first by more
/// than 15 mm plus 3 σ of the sensor's noise. Still pixels that are farther than the scene are taken at once.
/// Nearer ones are taken in connected pieces of which at least seven eighths are still and which hold no face,
/// so that people stay who keep only their legs still.
package final class PlateRenewal {
  private enum Rule {
    static let looks: UInt8 = 8
    static let millimeters = 15
    /// Uncertainty of pixels that flicker within a piece that is still.
    static let flicker: UInt16 = 100
  }

  /// 255 where the last `look` changed the scene.
  package let settled: PixelPlane<UInt8>
  private let seconds: Double
  private let pieces: MaskPieces
  /// The depth at the first look of a pixel that differs from the scene, and in how many looks in a row it was seen.
  private let candidate: PixelPlane<UInt16>
  private let sightings: PixelPlane<UInt8>
  /// 255 where a pixel is nearer than the scene, and where it is still.
  private let isNearer: PixelPlane<UInt8>
  private let isStill: PixelPlane<UInt8>
  private var nextLook: Int64?

  /// - Parameter seconds: the period, above 0.
  package init(seconds: Double, width: Int, height: Int) {
    precondition(seconds > 0)
    self.seconds = seconds
    pieces = MaskPieces(.face, smallest: 0, largestGap: 0, width: width, height: height)
    candidate = PixelPlane(width: width, height: height)
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: width, height: height) }
    (settled, sightings, isNearer, isStill) = (plane(), plane(), plane(), plane())
  }

  /// Whether it goes on with what another one saw.
  package func fits(_ other: PlateRenewal) -> Bool {
    seconds == other.seconds && candidate.width == other.candidate.width && candidate.height == other.candidate.height
  }

  /// Whether the next look is due. Time that goes back begins a new interval.
  package func isDue(nanoseconds: Int64) -> Bool {
    let interval = Int64(seconds * 1e9 / Double(Rule.looks - 1))
    let due = nextLook ?? nanoseconds
    // A stranger's times may be as far apart as there are numbers.
    let goesOn = due &- nanoseconds <= interval
    if goesOn && nanoseconds < due { return false }
    // Looks that are late by a frame do not add up.
    nextLook = (goesOn && nanoseconds &- due < interval ? due : nanoseconds) &+ interval
    return true
  }

  /// Looks at a depth map in millimetres, 0 = hole, and takes what is still into the plate. Holes tell nothing.
  /// - Parameters:
  ///   - limits: of the plate: depth up to these is nearer.
  ///   - mostSpread: as in `BackgroundPlate.writeLimits`.
  ///   - addFaces: gives the faces in this depth map to the pieces.
  /// - Returns: whether the plate has changed; its limits must then be written again.
  package func look(
    _ depth: PixelPlane<UInt16>, _ plate: BackgroundPlate, limits: PixelPlane<UInt16>, mostSpread: Int,
    bands: BandRunner, addFaces: (MaskPieces) -> Void
  ) -> Bool {
    bands.run(rowCount: depth.height) { rows in
      for y in rows { compare(depth, plate, limits, mostSpread, row: y) }
    }
    pieces.removeFaces()
    addFaces(pieces)
    pieces.findSettled(isNearer, still: isStill, into: settled)
    var isChanged = false
    for i in 0..<settled.count {
      let isFarther = isNearer.samples[i] == 0 && isStill.samples[i] != 0
      if isFarther { settled.samples[i] = 255 }
      guard settled.samples[i] != 0, candidate.samples[i] != 0 else { continue }
      isChanged = true
      plate.millimeters.samples[i] = candidate.samples[i]
      plate.spread.samples[i] = isStill.samples[i] != 0 ? 0 : Rule.flicker
      sightings.samples[i] = 0
    }
    return isChanged
  }

  private func compare(
    _ depth: PixelPlane<UInt16>, _ plate: BackgroundPlate, _ limits: PixelPlane<UInt16>, _ mostSpread: Int, row: Int
  ) {
    let (depth, limits) = (depth.row(row), limits.row(row))
    let (scene, spread) = (plate.millimeters.row(row), plate.spread.row(row))
    let (candidate, sightings) = (candidate.row(row), sightings.row(row))
    let (isNearer, isStill) = (isNearer.row(row), isStill.row(row))
    BackgroundPlate.noise.withUnsafeBufferPointer { noise in
      for x in 0..<settled.width {
        let distance = Int(depth[x])
        // A hole is no evidence for or against.
        if distance == 0 {
          isNearer[x] = 0
          isStill[x] = 0
          continue
        }
        let known = Int(scene[x])
        let nearer = distance <= Int(limits[x])
        let farther =
          !nearer
          && (known == 0
            || distance > known + Rule.millimeters + max(Int(noise[known]), min(Int(spread[x]), mostSpread)))
        if !nearer && !farther {
          sightings[x] = 0
        } else if sightings[x] > 0,
          abs(distance - Int(candidate[x])) <= Rule.millimeters + Int(noise[Int(candidate[x])])
        {
          sightings[x] = min(sightings[x] + 1, Rule.looks)
        } else {
          (candidate[x], sightings[x]) = (depth[x], 1)
        }
        isNearer[x] = nearer ? 255 : 0
        isStill[x] = sightings[x] == Rule.looks ? 255 : 0
      }
    }
  }
}
