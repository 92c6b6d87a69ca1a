import FrameModel
import Kernels

/// The transform of `ranks-med-crumbs` before zstd, as specified in Guides/FrameCodecs.md.
package final class RankTransform {
  private static let headerByteCount = 4

  private let distinctValues = DistinctValues()
  private let distinctWords = DistinctWords()
  private let ranks = ScratchMemory()
  private let numbers = ScratchMemory()
  private let packing = ScratchMemory()
  private let packed = ScratchMemory()
  private let table = ScratchMemory()
  private let processor: Processor

  package init(processor: Processor = .best) { self.processor = processor }

  /// - Parameter bytes: a whole packed frame with 16- or 32-bit samples.
  /// - Returns: bytes that are valid until the next call; nil if ranks do not save space.
  package func encode(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> UnsafeRawBufferPointer? {
    guard let samples = bytes.baseAddress else { return nil }
    let isWide = layout.format == .disparityFloat32
    let sampleCount = layout.width * layout.height
    let isCollected =
      isWide
      ? distinctWords.collect(samples, count: sampleCount)
      : distinctValues.collect(samples, count: sampleCount)
    guard isCollected else { return nil }
    let plane = plane(layout)
    plane.clearSurroundings()
    if isWide {
      distinctWords.rank(samples, into: plane)
    } else {
      distinctValues.rank(samples, into: plane)
    }
    let distinctCount = isWide ? distinctWords.count : distinctValues.count
    let gapCount = isWide ? 2 * distinctCount : distinctCount
    let count = gapCount + sampleCount
    let numbers = numbers.samples(of: UInt16.self, count)
    if isWide { writeWordGaps(numbers) } else { writeGaps(numbers) }
    MedianPrediction16.encode(plane, into: numbers + gapCount)

    let target = packed.bytes(Self.headerByteCount + CrumbPacking.bound(count: count))
    guard let start = target.baseAddress else { return nil }
    start.storeBytes(of: UInt32(distinctCount).littleEndian, as: UInt32.self)
    let body = (start + Self.headerByteCount).assumingMemoryBound(to: UInt8.self)
    let scratch = packing.samples(of: UInt16.self, CrumbPacking.scratchCount(count: count))
    let byteCount = CrumbPacking.encode(numbers, count: count, scratch: scratch, into: body)
    // With noise, packed ranks can be larger than the samples.
    guard byteCount < bytes.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: target[..<(Self.headerByteCount + byteCount)])
  }

  /// A buffer of `byteCount` packed bytes, which the caller fills before `decode`.
  /// - Returns: nil if no frame of that layout needs so many bytes.
  func packed(byteCount: Int, _ layout: FrameLayout) -> UnsafeMutableRawBufferPointer? {
    guard (Self.headerByteCount...Self.headerByteCount + layout.byteCount).contains(byteCount) else {
      return nil
    }
    return packed.bytes(byteCount)
  }

  /// Decodes a whole packed frame from the bytes in `packed(byteCount:_:)`.
  /// - Returns: false for malformed bytes.
  func decode(
    _ source: UnsafeRawBufferPointer, _ layout: FrameLayout, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let isWide = layout.format == .disparityFloat32
    let sampleCount = layout.width * layout.height
    let distinctCount = Int(UInt32(littleEndian: source.loadUnaligned(as: UInt32.self)))
    let limit = min(sampleCount, isWide ? DistinctWords.limit : DistinctValues.limit)
    guard (1...limit).contains(distinctCount) else { return false }
    let gapCount = isWide ? 2 * distinctCount : distinctCount
    let count = gapCount + sampleCount
    let numbers = numbers.samples(of: UInt16.self, count)
    let isUnpacked = CrumbPacking.decode(
      UnsafeRawBufferPointer(rebasing: source[Self.headerByteCount...]), count: count,
      scratch: packing.samples(of: UInt16.self, CrumbPacking.scratchCount(count: count)), into: numbers,
      processor: processor)
    guard isUnpacked else { return false }
    let plane = plane(layout)
    plane.clearSurroundings()
    if isWide {
      guard let table = readWordGaps(numbers, count: distinctCount) else { return false }
      MedianPrediction16.decode(numbers + gapCount, into: plane, processor: processor)
      Self.lookUp(plane, in: table, output)
    } else {
      guard let table = readGaps(numbers, count: distinctCount) else { return false }
      MedianPrediction16.decode(numbers + gapCount, into: plane, processor: processor)
      Self.lookUp(plane, in: table, output)
    }
    return true
  }

  private func plane(_ layout: FrameLayout) -> SamplePlane<Int16> {
    let byteCount = SamplePlane<Int16>.byteCount(width: layout.width, height: layout.height)
    let memory = ranks.samples(of: UInt8.self, byteCount)
    return SamplePlane(width: layout.width, height: layout.height, in: UnsafeMutableRawPointer(memory))
  }

  // MARK: The table

  private func writeGaps(_ gaps: UnsafeMutablePointer<UInt16>) {
    let values = distinctValues.values
    gaps[0] = values[0]
    for i in 1..<max(1, distinctValues.count) { gaps[i] = values[i] &- values[i - 1] &- 1 }
  }

  private func writeWordGaps(_ gaps: UnsafeMutablePointer<UInt16>) {
    let values = distinctWords.values
    let count = distinctWords.count
    for i in 0..<count {
      let gap = i == 0 ? values[0] : values[i] &- values[i - 1] &- 1
      gaps[i] = UInt16(truncatingIfNeeded: gap >> 16)
      gaps[count + i] = UInt16(truncatingIfNeeded: gap)
    }
  }

  /// - Returns: a table with an entry for every 16-bit rank, so that damaged ranks stay in bounds;
  ///   nil if a value exceeds its range.
  private func readGaps(_ gaps: UnsafePointer<UInt16>, count: Int) -> UnsafeMutablePointer<UInt16>? {
    let table = table.samples(of: UInt16.self, 65_536)
    table.update(repeating: 0, count: 65_536)
    var next = 0
    for i in 0..<count {
      next += Int(gaps[i])
      guard next <= Int(UInt16.max) else { return nil }
      table[i] = UInt16(next)
      next += 1
    }
    return table
  }

  private func readWordGaps(_ gaps: UnsafePointer<UInt16>, count: Int) -> UnsafeMutablePointer<UInt32>? {
    let table = table.samples(of: UInt32.self, 65_536)
    table.update(repeating: 0, count: 65_536)
    var next = 0
    for i in 0..<count {
      next += Int(gaps[i]) << 16 | Int(gaps[count + i])
      guard next <= Int(UInt32.max) else { return nil }
      table[i] = UInt32(next)
      next += 1
    }
    return table
  }

  @inline(__always)
  private static func lookUp<Sample: FixedWidthInteger>(
    _ plane: SamplePlane<Int16>, in table: UnsafePointer<Sample>, _ output: UnsafeMutableRawBufferPointer
  ) {
    guard var target = output.baseAddress else { return }
    for y in 0..<plane.height {
      let row = plane.row(y)
      for x in 0..<plane.width {
        target.storeBytes(of: table[Int(UInt16(bitPattern: row[x]))].littleEndian, as: Sample.self)
        target += MemoryLayout<Sample>.size
      }
    }
  }
}
