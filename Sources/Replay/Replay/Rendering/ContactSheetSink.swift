import FrameModel
import Kernels
import MattePipeline
import Media
import Support

/// One picture of a whole replay, with a row for each of a few moments and a column for each tap.
package final class ContactSheetSink: RenderSink {
  private static let rowLimit = 6
  private static let tileWidth = 320
  private static let gap = 8
  private static let captionHeight = 20

  private let file: OutputFile
  private let tileHeight: Int
  private let sizes: PipelineSizes
  private let start: PresentationTime
  /// Frame numbers, ascending. Each row shows the first frame at or after its number.
  private let wanted: [Int]
  private var isShown: [Bool]
  private var rows: [(caption: String, tiles: [RGBImage])] = []

  /// - Parameters:
  ///   - frames: the frames that the replay plays, in any order. Rows are spread over them.
  ///   - start: the recording's first frame, from which times count.
  package init(
    path: String, sizes: PipelineSizes, frames: Range<Int>, start: PresentationTime = PresentationTime(nanoseconds: 0),
    patience: WritePatience = WritePatience()
  ) throws(RetakeError) {
    // Fails before the replay, not after, if the path is not writable.
    file = try OutputFile(path: path, patience: patience)
    self.sizes = sizes
    self.start = start
    tileHeight = max(1, min(2 * Self.tileWidth, Self.tileWidth * sizes.video.height / sizes.video.width))
    let count = min(Self.rowLimit, frames.count)
    wanted = (0..<count).map { frames.lowerBound + (count == 1 ? 0 : $0 * (frames.count - 1) / (count - 1)) }
    isShown = Array(repeating: false, count: count)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    guard let place = wanted.lastIndex(where: { $0 <= output.index }), !isShown[place] else { return }
    isShown[place] = true
    let tiles = Tap.allCases.map { tap in
      if tap.isMissing(in: output) { return emptyTile(tap) }
      let size = tap.size(sizes)
      var picture = RGBImage(width: size.width, height: size.height)
      picture.pixels.withUnsafeMutableBufferPointer { tap.draw(output, size, into: $0.baseAddress!) }
      return PictureScaler.fill(picture, width: Self.tileWidth, height: tileHeight)
    }
    var caption = "frame \(output.index), \(Self.seconds(output.presentation.nanoseconds - start.nanoseconds)) s"
    if output.cutoffMillimeters > 0 { caption += ", cut-off \(Double(output.cutoffMillimeters) / 1000) m" }
    if output.depth != nil && !output.depthIsNew { caption += ", depth held" }
    rows.append((caption, tiles))
  }

  private func emptyTile(_ tap: Tap) -> RGBImage {
    var tile = RGBImage(width: Self.tileWidth, height: tileHeight, red: 44, green: 46, blue: 50)
    BitmapFont.draw("no \(tap.rawValue)", x: Self.gap, y: Self.gap, in: &tile)
    return tile
  }

  package func finish() throws(RetakeError) {
    guard !rows.isEmpty else { return }
    let taps = Tap.allCases
    let rowHeight = tileHeight + Self.captionHeight + Self.gap
    let width = taps.count * (Self.tileWidth + Self.gap) + Self.gap
    let height = Self.captionHeight + Self.gap + max(1, rows.count) * rowHeight
    var sheet = RGBImage(width: width, height: height, red: 24, green: 26, blue: 30)
    for (column, tap) in taps.enumerated() {
      let x = Self.gap + column * (Self.tileWidth + Self.gap)
      BitmapFont.draw(tap.rawValue, x: x, y: Self.gap, in: &sheet)
    }
    for (row, content) in rows.enumerated() {
      let y = Self.captionHeight + Self.gap + row * rowHeight
      BitmapFont.draw(content.caption, x: Self.gap, y: y + 2, in: &sheet)
      for (column, tile) in content.tiles.enumerated() {
        sheet.paste(
          tile, x: Self.gap + column * (Self.tileWidth + Self.gap), y: y + Self.captionHeight)
      }
    }
    try PictureFile.png(sheet).withRawBytes { bytes throws(RetakeError) in try file.write(bytes) }
    try file.finish()
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    return "\(milliseconds / 1000)." + (milliseconds.magnitude % 1000).zeroPadded(3)
  }
}

extension RGBImage {
  mutating func paste(_ picture: RGBImage, x: Int, y: Int) {
    for row in 0..<picture.height {
      let from = row * picture.width * 3
      let to = ((y + row) * width + x) * 3
      pixels.replaceSubrange(
        to..<to + picture.width * 3, with: picture.pixels[from..<from + picture.width * 3])
    }
  }
}
