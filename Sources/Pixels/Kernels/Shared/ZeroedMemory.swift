/// Memory of zeroes, aligned to 64 bytes.
///
/// Large blocks all come at the same place of a memory page. Where a kernel reads the same row of many planes, these
/// rows would share one set of the processor's cache, which holds eight. So they begin at places that differ, by their
/// page.
struct ZeroedMemory<Sample: FixedWidthInteger> {
  private static var alignment: Int { 64 }
  private static var pageByteCount: Int { 4096 }

  let samples: UnsafeMutablePointer<Sample>
  private let block: UnsafeMutableRawPointer

  init(count: Int) {
    let byteCount = count * MemoryLayout<Sample>.stride
    let isLarge = byteCount > 4 * Self.pageByteCount
    block = .allocate(byteCount: byteCount + (isLarge ? Self.pageByteCount : 0), alignment: Self.alignment)
    // 61 is a prime below the 64 places of a page: planes of one size come at places of their own.
    let place = isLarge ? Int(bitPattern: block) / Self.pageByteCount % 61 : 0
    let memory = block + place * Self.alignment
    // One C call: samples of a generic type would be initialised one by one.
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    samples = memory.bindMemory(to: Sample.self, capacity: count)
  }

  func deallocate() { block.deallocate() }
}
