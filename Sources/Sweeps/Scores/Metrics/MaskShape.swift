package struct MaskShape: Hashable, Sendable {
  /// Σα, in steps of 1/255.
  package let areaSteps: Int
  /// Pixels whose α lies between 0.05 and 0.95: 0.05 · 255 = 12.75 to 0.95 · 255 = 242.25.
  package let softCount: Int
  package let count: Int

  package init(_ matte: MatteFeatures) {
    areaSteps = Int(matte.found.areaSteps)
    softCount = Int(matte.found.softCount)
    count = matte.width * matte.height
  }

  /// Shares of the picture, 0 to 1.
  package var area: Double { Double(areaSteps) / (255 * Double(count)) }
  package var softShare: Double { Double(softCount) / Double(count) }
}
