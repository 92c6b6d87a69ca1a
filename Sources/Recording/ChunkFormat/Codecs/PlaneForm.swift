/// Choice of planes and tiles for 8-bit colour.
package enum PlaneForm {
  /// Tiles of 16x8, for any 8-bit format. RGB24 becomes luma and two differences.
  case tiles
  /// Tiles of every second column, for RGB24 only.
  case liftedColumns, rgbColumns

  var rgb: RGBPlanes {
    switch self {
    case .tiles: .average
    case .liftedColumns: .lifted
    case .rgbColumns: .plain
    }
  }

  var hasColumns: Bool { self != .tiles }

  init?(_ codec: FrameCodec) {
    switch codec {
    case .planesMedianTiles: self = .tiles
    case .liftedMedianColumns: self = .liftedColumns
    case .rgbMedianColumns: self = .rgbColumns
    case .raw, .zstd, .planesMedianNibbles, .ranksMedianCrumbs, .deltaBytes: return nil
    }
  }

  var codec: FrameCodec {
    switch self {
    case .tiles: .planesMedianTiles
    case .liftedColumns: .liftedMedianColumns
    case .rgbColumns: .rgbMedianColumns
    }
  }

  /// Number of tiles in a plane. Those at the right and bottom edges may be smaller, or empty.
  func tileCount(width: Int, height: Int) -> Int {
    TileSorting.blockCount(width: width, height: height) * (hasColumns ? 2 : 1)
  }

  // MARK: Tiles, see `TileSorting`

  @inline(__always)
  func classify(
    _ residuals: UnsafePointer<UInt8>, width: Int, height: Int, into classes: UnsafeMutablePointer<UInt8>
  ) {
    if hasColumns {
      ColumnSorting.classify(residuals, width: width, height: height, into: classes)
    } else {
      TileSorting.classify(residuals, width: width, height: height, into: classes)
    }
  }

  @inline(__always)
  func count(_ classes: UnsafePointer<UInt8>, width: Int, height: Int, in places: inout TileSorting.Places) {
    if hasColumns {
      ColumnSorting.count(classes, width: width, height: height, in: &places)
    } else {
      places.count(classes, width: width, height: height)
    }
  }

  @inline(__always)
  func sort(
    _ residuals: UnsafePointer<UInt8>, width: Int, height: Int, classes: UnsafePointer<UInt8>,
    _ places: inout TileSorting.Places, into sorted: UnsafeMutablePointer<UInt8>
  ) {
    if hasColumns {
      ColumnSorting.sort(residuals, width: width, height: height, classes: classes, &places, into: sorted)
    } else {
      TileSorting.sort(residuals, width: width, height: height, classes: classes, &places, into: sorted)
    }
  }

  @inline(__always)
  func restore(
    _ sorted: UnsafePointer<UInt8>, width: Int, height: Int, classes: UnsafePointer<UInt8>,
    _ places: inout TileSorting.Places, into residuals: UnsafeMutablePointer<UInt8>
  ) {
    if hasColumns {
      ColumnSorting.restore(sorted, width: width, height: height, classes: classes, &places, into: residuals)
    } else {
      TileSorting.restore(sorted, width: width, height: height, classes: classes, &places, into: residuals)
    }
  }
}
