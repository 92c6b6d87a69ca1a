/// Memory of an exact size between bytes that nobody may write to.
///
/// The address sanitizer sees what compiled Swift writes behind the end, but not what libzstd does, and not what lands
/// far beyond.
struct GuardedMemory {
  private static let guardByteCount = 256
  private static let mark: UInt8 = 0xC3
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter filling: what every byte holds at first: what a decoder leaves out shows.
  init(_ count: Int, filling: UInt8) {
    memory = .allocate(byteCount: count + 2 * Self.guardByteCount, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: Self.mark)
    for index in bytes.indices { bytes[index] = filling }
  }

  var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[Self.guardByteCount..<memory.count - Self.guardByteCount])
  }

  func free() {
    let guards = [memory.prefix(Self.guardByteCount), memory.suffix(Self.guardByteCount)]
    require(guards.allSatisfy { $0.allSatisfy { $0 == Self.mark } }, "nothing is written outside of the output")
    memory.deallocate()
  }
}
