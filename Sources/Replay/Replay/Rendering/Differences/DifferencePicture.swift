import FrameModel
import Media
import Support

/// Draws two planes and their difference side by side, with a box around the differing pixels. The
/// difference is stretched so that a single step is visible. In a reduced picture, each pixel shows
/// the largest difference that it covers.
package enum DifferencePicture {
  private static let gap = 8
  private static let captionHeight = 20
  private static let smallestTile = 320
  private static let largestTile = 960
  /// Grey level of the smallest difference; the largest is 255.
  private static let leastLevel = 72
  /// Pixels between the differing pixels and the box, and width of every plane's margin.
  private static let boxMargin = 5
  private static let boxColor: (UInt8, UInt8, UInt8) = (255, 64, 48)

  package static func write(
    _ a: StagePlane, _ b: StagePlane, title: String, captions: (a: String, b: String), to path: String
  ) throws(RetakeError) {
    try PictureFile.writePNG(picture(a, b, title: title, captions: captions), to: path)
  }

  package static func picture(
    _ a: StagePlane, _ b: StagePlane, title: String, captions: (a: String, b: String)
  ) -> RGBImage {
    let difference = PlaneDifference(a, b)
    var tiles = [tile(a, box: difference?.box), tile(b, box: difference?.box)]
    var texts = [captions.a, captions.b]
    if let difference {
      tiles.append(tile(stretched(a, b, maximum: difference.maximum), box: difference.box, takesLargest: true))
      texts.append("white: \(difference.maximum) \(a.unit.rawValue)")
    }
    let top = captionHeight + gap
    let width = tiles.map { $0.width + gap }.reduce(gap, +)
    let height = top + captionHeight + (tiles.map(\.height).max() ?? 0) + gap
    var sheet = RGBImage(width: width, height: height, red: 24, green: 26, blue: 30)
    BitmapFont.draw(title, x: gap, y: gap, in: &sheet)
    var x = gap
    for (tile, text) in zip(tiles, texts) {
      BitmapFont.draw(text, x: x, y: top, in: &sheet)
      sheet.paste(tile, x: x, y: top + captionHeight)
      x += tile.width + gap
    }
    return sheet
  }

  private static func stretched(_ a: StagePlane, _ b: StagePlane, maximum: Int) -> StagePlane {
    let levels = (0..<a.width * a.height).map { pixel -> UInt16 in
      var largest = 0
      for sample in pixel * a.channels..<(pixel + 1) * a.channels {
        largest = max(largest, abs(Int(a.samples[sample]) - Int(b.samples[sample])))
      }
      guard largest > 0, maximum > 1 else { return largest > 0 ? 255 : 0 }
      return UInt16(leastLevel + (largest - 1) * (255 - leastLevel) / (maximum - 1))
    }
    return StagePlane(
      stage: a.stage, width: a.width, height: a.height, channels: 1, unit: .levels, samples: levels)
  }

  /// - Parameter takesLargest: a reduced pixel shows the largest level it covers, not the first.
  private static func tile(_ plane: StagePlane, box: PlaneDifference.Box?, takesLargest: Bool = false) -> RGBImage {
    let up = max(1, smallestTile / plane.width)
    let down = (plane.width + largestTile - 1) / largestTile
    let (width, height) = ((plane.width * up + down - 1) / down, (plane.height * up + down - 1) / down)
    let margin = boxMargin
    var image = RGBImage(width: width + 2 * margin, height: height + 2 * margin, red: 24, green: 26, blue: 30)
    for y in 0..<height {
      for x in 0..<width {
        let (left, top) = (x * down / up, y * down / up)
        image.set(
          x + margin, y + margin, takesLargest ? largest(plane, left, top, down) : color(plane, left, top))
      }
    }
    if let box {
      image.frame(
        left: box.x * up / down, top: box.y * up / down,
        right: ((box.x + box.width) * up + down - 1) / down + 2 * margin - 1,
        bottom: ((box.y + box.height) * up + down - 1) / down + 2 * margin - 1, boxColor)
    }
    return image
  }

  private static func largest(_ plane: StagePlane, _ left: Int, _ top: Int, _ side: Int) -> (UInt8, UInt8, UInt8) {
    var level: UInt16 = 0
    for y in top..<min(top + side, plane.height) {
      for x in left..<min(left + side, plane.width) { level = max(level, plane.samples[y * plane.width + x]) }
    }
    return (UInt8(min(level, 255)), UInt8(min(level, 255)), UInt8(min(level, 255)))
  }

  private static func color(_ plane: StagePlane, _ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
    let place = (y * plane.width + x) * plane.channels
    if plane.channels == 3 {
      return (
        UInt8(truncatingIfNeeded: plane.samples[place]), UInt8(truncatingIfNeeded: plane.samples[place + 1]),
        UInt8(truncatingIfNeeded: plane.samples[place + 2])
      )
    }
    let sample = plane.samples[place]
    switch plane.unit {
    case .levels: return (UInt8(min(sample, 255)), UInt8(min(sample, 255)), UInt8(min(sample, 255)))
    case .counts: return (UInt8(min(sample / 8, 255)), UInt8(min(sample / 8, 255)), UInt8(min(sample / 8, 255)))
    case .millimeters:
      var color: [UInt8] = [0, 0, 0]
      DepthColors.store(sample, to: &color)
      return (color[0], color[1], color[2])
    }
  }
}

extension RGBImage {
  fileprivate mutating func set(_ x: Int, _ y: Int, _ color: (UInt8, UInt8, UInt8)) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let place = (y * width + x) * 3
    (pixels[place], pixels[place + 1], pixels[place + 2]) = color
  }

  fileprivate mutating func frame(left: Int, top: Int, right: Int, bottom: Int, _ color: (UInt8, UInt8, UInt8)) {
    for x in left...right {
      set(x, top, color)
      set(x, bottom, color)
    }
    for y in top...bottom {
      set(left, y, color)
      set(right, y, color)
    }
  }
}
