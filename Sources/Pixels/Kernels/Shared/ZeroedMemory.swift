enum ZeroedMemory {
  /// Zeroes bytes with one C call: samples of a generic type would be initialised one by one.
  static func allocate<Sample: FixedWidthInteger>(_ count: Int, alignment: Int) -> UnsafeMutablePointer<Sample> {
    let byteCount = count * MemoryLayout<Sample>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return memory.bindMemory(to: Sample.self, capacity: count)
  }
}
