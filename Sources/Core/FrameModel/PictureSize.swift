/// Width and height in pixels.
package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// "640x480". Nil unless both sides are 1 to `FrameLayout.largestSide`.
  package init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...FrameLayout.largestSide).contains($0) }) else { return nil }
    self.init(sides[0], sides[1])
  }

  package var description: String { "\(width)x\(height)" }
}
