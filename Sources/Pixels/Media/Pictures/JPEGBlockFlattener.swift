import CTurboJPEG
import Support

/// Flattens parts of a JPEG without decoding it to pixels, so all other coefficients stay
/// unchanged. Comments, EXIF data and thumbnails are left out. For one thread at a time.
package final class JPEGBlockFlattener {
  /// In pixels, widened to whole coded blocks (8 or 16 pixels a side, 32 at most).
  package struct Part: Hashable, Sendable {
    package var x: Range<Int>
    package var y: Range<Int>
    /// Side of the squares that get their mean colour; nil: the whole part becomes mid grey.
    package var squareSide: Int?

    package init(x: Range<Int>, y: Range<Int>, squareSide: Int?) {
      self.x = x
      self.y = y
      self.squareSide = squareSide
    }
  }

  private let handle: tjhandle

  package init() throws(RetakeError) {
    guard let handle = tjInitTransform() else {
      throw RetakeError(.inputOutput, "There is not enough memory to edit a JPEG.")
    }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// - Parameter parts: flattened in order; where two overlap, the later one wins.
  /// - Throws: `.corrupt` if the file is unreadable or has another size.
  package func flatten(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, _ parts: [Part], name: String
  ) throws(RetakeError) -> [UInt8] {
    let source = bytes.bindMemory(to: UInt8.self).baseAddress
    var size: (width: Int32, height: Int32, subsampling: Int32, colorSpace: Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        handle, source, UInt(bytes.count), &size.width, &size.height, &size.subsampling, &size.colorSpace) == 0,
      (Int(size.width), Int(size.height)) == (width, height), let unit = Self.codedUnit(size.subsampling)
    else { throw unreadable(name) }
    // Memory holds every coefficient of the picture, twice.
    try WorkLimit.picture.check(width: width, height: height, name)
    let work = CoefficientWork(unit: unit, parts: parts)
    // The first pass reads the coefficients, the second changes them on their way to the new file.
    // Both must drop comments and thumbnails: what one pass keeps ends up in all files.
    var transforms = [tjtransform](repeating: tjtransform(), count: 2)
    for pass in 0..<2 {
      transforms[pass].op = Int32(TJXOP_NONE.rawValue)
      transforms[pass].options = pass == 0 ? TJXOPT_NOOUTPUT | TJXOPT_COPYNONE : TJXOPT_COPYNONE
      transforms[pass].data = Unmanaged.passUnretained(work).toOpaque()
      transforms[pass].customFilter = { coefficients, row, plane, component, pass, transform in
        guard let coefficients, let data = transform?.pointee.data else { return -1 }
        let work = Unmanaged<CoefficientWork>.fromOpaque(data).takeUnretainedValue()
        let place = CoefficientWork.Place(
          component: Int(component), x: Int(row.x) / 8, y: Int(row.y) / 8, rowBlocks: Int(row.w) / 8,
          rows: Int(row.h) / 8, planeBlocks: (Int(plane.w) / 8, Int(plane.h) / 8))
        pass == 0 ? work.note(coefficients, place) : work.change(coefficients, place)
        return 0
      }
    }
    var files: [UnsafeMutablePointer<UInt8>?] = [nil, nil]
    var lengths: [UInt] = [0, 0]
    defer { for file in files { tjFree(file) } }
    let status = withExtendedLifetime(work) {
      tjTransform(
        handle, source, UInt(bytes.count), 2, &files, &lengths, &transforms, TJFLAG_LIMITSCANS)
    }
    // Cameras send JPEGs with excess bytes, or without an end: libjpeg warns and continues.
    let isFlawed = status != 0 && tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    guard status == 0 || isFlawed, let file = files[1], lengths[1] > 0 else { throw unreadable(name) }
    return [UInt8](UnsafeBufferPointer(start: file, count: Int(lengths[1])))
  }

  /// Pixels that one block of the chroma planes covers.
  private static func codedUnit(_ subsampling: Int32) -> (width: Int, height: Int)? {
    switch UInt32(bitPattern: subsampling) {
    case TJSAMP_444.rawValue, TJSAMP_GRAY.rawValue: (8, 8)
    case TJSAMP_422.rawValue: (16, 8)
    case TJSAMP_420.rawValue: (16, 16)
    case TJSAMP_440.rawValue: (8, 16)
    case TJSAMP_411.rawValue: (32, 8)
    default: nil
    }
  }

  private func unreadable(_ name: String) -> RetakeError {
    RetakeError(.corrupt, "\(name) is not a JPEG that can be edited: \(String(cString: tjGetErrorStr2(handle))).")
  }
}

/// The first (DC) coefficients of a JPEG's blocks, which are their means, and their replacements.
private final class CoefficientWork {
  /// The blocks that libjpeg-turbo passes to the filter, in blocks of their plane.
  struct Place {
    var component: Int
    var x: Int
    var y: Int
    var rowBlocks: Int
    var rows: Int
    var planeBlocks: (width: Int, height: Int)
  }

  private let unit: (width: Int, height: Int)
  private let parts: [JPEGBlockFlattener.Part]
  private var means: [[Int16]] = []
  /// Each plane's new first coefficients; nil keeps a block. Computed before the first change.
  private var targets: [[Int16?]] = []
  private var planes: [(width: Int, height: Int)] = []

  init(unit: (width: Int, height: Int), parts: [JPEGBlockFlattener.Part]) {
    self.unit = unit
    self.parts = parts
  }

  func note(_ coefficients: UnsafeMutablePointer<Int16>, _ place: Place) {
    while planes.count <= place.component {
      planes.append((0, 0))
      means.append([])
    }
    if means[place.component].isEmpty {
      planes[place.component] = place.planeBlocks
      means[place.component] = [Int16](repeating: 0, count: place.planeBlocks.width * place.planeBlocks.height)
    }
    forEachBlock(place) { block, index in means[place.component][index] = coefficients[block * 64] }
  }

  func change(_ coefficients: UnsafeMutablePointer<Int16>, _ place: Place) {
    if targets.isEmpty { targets = planes.indices.map { targets(ofPlane: $0) } }
    guard targets.indices.contains(place.component) else { return }
    forEachBlock(place) { block, index in
      guard let target = targets[place.component][index] else { return }
      (coefficients + block * 64).update(repeating: 0, count: 64)
      coefficients[block * 64] = target
    }
  }

  /// Skips blocks beyond the plane, which the library may pass but no file holds.
  private func forEachBlock(_ place: Place, _ body: (Int, Int) -> Void) {
    guard planes.indices.contains(place.component) else { return }
    let plane = planes[place.component]
    for row in 0..<place.rows where place.y + row < plane.height {
      for column in 0..<place.rowBlocks where place.x + column < plane.width {
        body(row * place.rowBlocks + column, (place.y + row) * plane.width + place.x + column)
      }
    }
  }

  private func targets(ofPlane plane: Int) -> [Int16?] {
    var result = [Int16?](repeating: nil, count: means[plane].count)
    // Luma has a block every 8 pixels, chroma one per unit.
    let step = plane == 0 ? (width: 8, height: 8) : unit
    let (width, height) = planes[plane]
    for part in parts {
      for rows in part.y.squares(unit: unit.height, side: part.squareSide, samplePixels: step.height, limit: height) {
        for columns in part.x.squares(unit: unit.width, side: part.squareSide, samplePixels: step.width, limit: width) {
          let value = part.squareSide == nil ? 0 : mean(plane, columns, rows)
          for y in rows { for x in columns { result[y * width + x] = value } }
        }
      }
    }
    return result
  }

  /// Rounded down, in integers: the same on every processor.
  private func mean(_ plane: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Int16 {
    var sum = 0
    for y in rows { for x in columns { sum += Int(means[plane][y * planes[plane].width + x]) } }
    let count = columns.count * rows.count
    return Int16(clamping: (sum - (sum < 0 ? count - 1 : 0)) / count)
  }
}
