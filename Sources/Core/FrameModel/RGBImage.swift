/// An 8-bit RGB image for files, rows packed, origin at the top left. Frames use `FrameBuffer`.
package struct RGBImage: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height * 3` bytes.
  package var pixels: [UInt8]

  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 3)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  package init(width: Int, height: Int, red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for i in 0..<width * height {
      pixels[3 * i] = red
      pixels[3 * i + 1] = green
      pixels[3 * i + 2] = blue
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
