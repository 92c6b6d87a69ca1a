/// Combines two masks into one of the first's geometry, as bytes or as matte samples. Union is the
/// maximum, intersection the minimum, difference the minimum of the first and the second's
/// complement.
package struct MaskCombination: Sendable {
  package enum Rule: String, CaseIterable, Sendable {
    case union, intersection, difference
  }

  /// A mask, and its matte samples if it has them.
  package struct Operand {
    package let plane: PixelPlane<UInt8>
    package let soft: MatteSamples?

    package init(_ plane: PixelPlane<UInt8>, soft: MatteSamples?) {
      self.plane = plane
      self.soft = soft
    }
  }

  package let rule: Rule
  private let columns: KernelTable<Int32>
  private let rows: KernelTable<Int32>
  private let isAligned: Bool
  /// A line of each mask, per thread.
  private let scratch: KernelScratch
  private let width: Int
  private let processor: Processor

  /// `columns` and `rows` are the second mask's positions for each column and row of the first.
  package init(
    _ rule: Rule, columns: [Int32], rows: [Int32], secondWidth: Int, threadCount: Int, processor: Processor = .best
  ) {
    self.rule = rule
    self.columns = KernelTable(columns)
    self.rows = KernelTable(rows)
    self.processor = processor
    isAligned = columns.count == secondWidth && columns.indices.allSatisfy { columns[$0] == $0 }
    width = columns.count
    scratch = KernelScratch(byteCount: 4 * columns.count, threadCount: threadCount)
  }

  /// Without `second`, copies the first. With `soft`, combines matte samples, and rounds them for
  /// `plane`.
  package func combine(
    _ first: Operand, _ second: Operand?, to plane: PixelPlane<UInt8>, soft: MatteSamples?, rows: Range<Int>,
    thread: Int
  ) {
    guard let soft else {
      for y in rows {
        let out = plane.row(y)
        guard let second else {
          out.update(from: first.plane.row(y), count: width)
          continue
        }
        combine(first.plane.row(y), line(of: second.plane, y, thread), to: out, one: 255)
      }
      return
    }
    let firstLine = scratch.piece(thread).assumingMemoryBound(to: Int16.self)
    let secondLine = firstLine + width
    for y in rows {
      let out = soft.row(y)
      samples(of: first, row: y, to: firstLine)
      if let second {
        samples(of: second, row: Int(self.rows.elements[y]), through: columns.elements, to: secondLine)
        combine(firstLine, secondLine, to: out, one: MatteSamples.one)
      } else {
        out.update(from: firstLine, count: width)
      }
      let bytes = plane.row(y)
      for x in 0..<width { bytes[x] = UInt8(truncatingIfNeeded: (out[x] &+ 32) >> 6) }
    }
    soft.markBlocks(rows: rows, processor: processor)
  }

  private func combine<Sample: FixedWidthInteger>(
    _ a: UnsafePointer<Sample>, _ b: UnsafePointer<Sample>, to out: UnsafeMutablePointer<Sample>, one: Sample
  ) {
    switch rule {
    case .union: for x in 0..<width { out[x] = max(a[x], b[x]) }
    case .intersection: for x in 0..<width { out[x] = min(a[x], b[x]) }
    case .difference: for x in 0..<width { out[x] = min(a[x], one &- b[x]) }
    }
  }

  /// The second mask's bytes over a row of the first.
  private func line(of plane: PixelPlane<UInt8>, _ y: Int, _ thread: Int) -> UnsafePointer<UInt8> {
    let row = UnsafePointer(plane.row(Int(rows.elements[y])))
    if isAligned { return row }
    let line = scratch.piece(thread).assumingMemoryBound(to: UInt8.self)
    for x in 0..<width { line[x] = row[Int(columns.elements[x])] }
    return UnsafePointer(line)
  }

  private func samples(of mask: Operand, row y: Int, to line: UnsafeMutablePointer<Int16>) {
    if let soft = mask.soft { return line.update(from: soft.row(y), count: width) }
    let row = mask.plane.row(y)
    for x in 0..<width { line[x] = Int16(row[x]) << 6 }
  }

  private func samples(
    of mask: Operand, row y: Int, through columns: UnsafeBufferPointer<Int32>, to line: UnsafeMutablePointer<Int16>
  ) {
    if let soft = mask.soft {
      let row = soft.row(y)
      for x in 0..<width { line[x] = row[Int(columns[x])] }
    } else {
      let row = mask.plane.row(y)
      for x in 0..<width { line[x] = Int16(row[Int(columns[x])]) << 6 }
    }
  }
}
