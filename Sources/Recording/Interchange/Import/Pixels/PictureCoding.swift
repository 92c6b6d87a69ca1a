import FrameModel
import Media
import Support

/// How a stream's pictures are converted, determined from one of its messages.
struct PictureCoding: Hashable, Sendable {
  enum Coding: Hashable, Sendable {
    case rows(RowCoding)
    /// Kept unchanged.
    case jpeg
    case png(SampleFormat)
    /// Of ROS's compressed_depth_image_transport.
    case compressedDepth
  }

  let layout: FrameLayout
  let coding: Coding

  init(layout: FrameLayout, coding: Coding) {
    self.layout = layout
    self.coding = coding
  }

  /// - Throws: `.unsupported` for an encoding without a pixel format, `.corrupt` for a bad size.
  init(of image: ImageMessage) throws(RetakeError) {
    switch image.form {
    case .compressed: try self.init(compressed: image)
    case .raw(let width, let height, let bytesPerRow, let isBigEndian):
      guard let (format, rows) = RowCoding.of(image.encoding, isBigEndian: isBigEndian) else {
        throw RetakeError(
          .unsupported, "the pixel encoding '\(image.encoding.prefix(40))' is not supported",
          hint: "supported encodings: \(RowCoding.encodings)")
      }
      self.init(layout: try FrameLayout(format, width: width, height: height), coding: .rows(rows))
      let needed = rows.sourceByteCount(format, width: width)
      guard bytesPerRow == 0 || bytesPerRow >= needed else {
        throw RetakeError(
          .corrupt, "rows of \(bytesPerRow) bytes are too short for \(width) pixels of \(image.encoding)")
      }
    }
  }

  private init(compressed image: ImageMessage) throws(RetakeError) {
    let name = "A picture of '\(image.encoding.prefix(40))'"
    let data = image.data
    if data.starts(with: [0xFF, 0xD8]) {
      let (width, height) = try JPEGDecoder.size(data, name: name)
      self.init(layout: try FrameLayout(.jpeg, width: width, height: height), coding: .jpeg)
      return
    }
    if let picture = try DepthPicture(image) {
      self.init(
        layout: try FrameLayout(.depthMillimeters16, width: picture.width, height: picture.height),
        coding: .compressedDepth)
      return
    }
    guard PNGDecoder.isPNG(data) else {
      throw RetakeError(
        .unsupported,
        image.encoding.isEmpty
          ? "it is neither JPEG nor PNG" : "pictures of '\(image.encoding.prefix(40))' are neither JPEG nor PNG",
        hint: "record JPEG or PNG pictures"
      )
    }
    let png = try PNGDecoder(data, name: name)
    let format: PixelFormat =
      switch png.samples {
      case .grey16: .depthMillimeters16
      case .grey8: .grey8
      case .rgb8: .rgb24
      }
    self.init(layout: try FrameLayout(format, width: png.width, height: png.height), coding: .png(png.samples))
  }

  /// What a recording lacks of such pictures, in words. Not the fourth channel of raw pictures, which is mostly padding.
  func leftOut(of image: ImageMessage) throws(RetakeError) -> [String] {
    switch coding {
    case .rows(.narrow): ["the lower 8 of their 16 bits"]
    case .png: try PNGDecoder.leftOutOfColor(image.data, name: "A picture")
    case .rows, .jpeg, .compressedDepth: []
    }
  }

  func isWhole(_ image: ImageMessage) -> Bool {
    switch coding {
    case .rows(let rows): wholeRowCount(image, rows) == layout.rowCount
    case .jpeg: image.data.count <= layout.byteCount && JPEGStructure(image.data) == .whole
    case .png, .compressedDepth: true
    }
  }

  func byteCount(_ image: ImageMessage) -> Int {
    coding == .jpeg ? min(image.data.count, layout.byteCount) : layout.byteCount
  }

  /// - Returns: the number of bytes filled, fewer than the layout's if the picture is cut short.
  /// - Throws: `.corrupt` for a picture file that cannot be decoded.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from image: ImageMessage) throws(RetakeError) -> Int {
    switch coding {
    case .rows(let rows):
      let count = wholeRowCount(image, rows)
      let (source, packed) = (sourceStride(image, rows), layout.bytesPerRow)
      let used = rows.sourceByteCount(layout.format, width: layout.width)
      for row in 0..<count {
        rows.convert(
          UnsafeRawBufferPointer(rebasing: image.data[row * source..<row * source + used]),
          to: UnsafeMutableRawBufferPointer(rebasing: buffer[row * packed..<(row + 1) * packed]))
      }
      return count * packed
    case .jpeg:
      let count = byteCount(image)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: image.data[..<count]))
      return count
    case .png(.rgb8): try PNGDecoder(image.data, name: "A picture").rgb().pixels.copy(to: buffer)
    case .png(.grey8): try PNGDecoder(image.data, name: "A picture").grey8().copy(to: buffer)
    case .png(.grey16): try PNGDecoder(image.data, name: "A depth picture").grey16().samples.copy(to: buffer)
    case .compressedDepth:
      guard let picture = try DepthPicture(image) else {
        throw RetakeError(.corrupt, "A depth picture lacks its header.")
      }
      try picture.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<layout.byteCount]))
    }
    return layout.byteCount
  }

  private func sourceStride(_ image: ImageMessage, _ rows: RowCoding) -> Int {
    let packed = rows.sourceByteCount(layout.format, width: layout.width)
    guard case .raw(_, _, let bytesPerRow, _) = image.form, bytesPerRow > 0 else { return packed }
    return bytesPerRow
  }

  /// The last row may lack its padding.
  private func wholeRowCount(_ image: ImageMessage, _ rows: RowCoding) -> Int {
    let stride = sourceStride(image, rows)
    let padding = stride - rows.sourceByteCount(layout.format, width: layout.width)
    return min(layout.rowCount, (image.data.count + padding) / stride)
  }
}

extension Array where Element: FixedWidthInteger {
  /// In host byte order, which is little-endian on all supported machines.
  fileprivate func copy(to buffer: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes { buffer.copyMemory(from: $0) }
  }
}
