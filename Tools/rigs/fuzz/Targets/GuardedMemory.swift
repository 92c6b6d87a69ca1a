/// Memory of an exact size, surrounded by guard bytes that must not change.
///
/// The address sanitizer sees overflows in compiled Swift, but neither those in libzstd nor writes
/// far beyond the end.
struct GuardedMemory {
  private static let guardByteCount = 256
  private static let mark: UInt8 = 0xC3
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter filling: initial value of every byte; reveals what a decoder leaves unwritten.
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
