import Foundation

/// Memory of zeroes, aligned to 64 bytes.
///
/// The system gives large blocks page by page, when they are first used: what a run never needs costs nothing, and a
/// pipeline is ready at once.
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
    guard let block = calloc(1, byteCount + Self.alignment + (isLarge ? Self.pageByteCount : 0)) else {
      fatalError("no memory for a plane of \(byteCount) bytes")
    }
    self.block = block
    // 61 is a prime below the 64 places of a page: planes of one size come at places of their own.
    let place = isLarge ? Int(bitPattern: block) / Self.pageByteCount % 61 : 0
    let memory = block.alignedUp(toMultipleOf: Self.alignment) + place * Self.alignment
    samples = memory.bindMemory(to: Sample.self, capacity: count)
  }

  func deallocate() { free(block) }
}
