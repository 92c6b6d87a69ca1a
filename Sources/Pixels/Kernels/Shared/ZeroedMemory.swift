/// Memory for samples, all zero.
enum ZeroedMemory {
  /// As bytes, which is one call to the C library: samples of a kind that is only known where it runs would be written one by one.
  static func allocate<Sample: FixedWidthInteger>(_ count: Int, alignment: Int) -> UnsafeMutablePointer<Sample> {
    let byteCount = count * MemoryLayout<Sample>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return memory.bindMemory(to: Sample.self, capacity: count)
  }
}
