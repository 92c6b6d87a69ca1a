/// What a matte looks like by itself: its area, how much of it is soft, what is torn and what has holes.
package struct MaskShape: Hashable, Sendable {
  /// Σα, in steps of 1/255.
  package let areaSteps: Int
  /// Pixels whose α lies between 0.05 and 0.95.
  package let softCount: Int
  /// Separate pieces of the person, which touch at corners at least.
  package let componentCount: Int
  /// Gaps that the person encloses.
  package let holeCount: Int
  package let holePixelCount: Int
  package let count: Int

  /// - Parameter components: of the matte's size.
  package init(_ matte: BytePlane, _ components: Components) {
    var area = 0
    var soft = 0
    for i in 0..<matte.count {
      let value = matte.samples[i]
      area += Int(value)
      if Self.softRange.contains(value) { soft += 1 }
    }
    areaSteps = area
    softCount = soft
    count = matte.count
    let samples = matte.samples
    components.label(.eight) { samples[$0] >= BytePlane.personThreshold }
    componentCount = components.regions.count
    // Of the background, pixels that touch at a corner only are apart where the person's hang together there.
    components.label(.four) { samples[$0] < BytePlane.personThreshold }
    let holes = components.regions.filter { !$0.touchesBorder }
    holeCount = holes.count
    holePixelCount = holes.reduce(0) { $0 + $1.pixelCount }
  }

  /// 0.05 · 255 = 12.75 to 0.95 · 255 = 242.25.
  private static let softRange: ClosedRange<UInt8> = 13...242

  /// Of the picture, 0 to 1.
  package var area: Double { count == 0 ? 0 : Double(areaSteps) / (255 * Double(count)) }
  package var softShare: Double { count == 0 ? 0 : Double(softCount) / Double(count) }
}
