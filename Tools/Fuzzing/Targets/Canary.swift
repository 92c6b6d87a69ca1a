/// A planted defect: a fuzzer that does not find it within two minutes would find nothing else either.
///
/// It lies where real ones do: behind a magic number and a length that is believed. Every condition is a branch of its own, so
/// that each one met is seen as progress: two of them in one, which only a lucky input meets together, hid it from most runs.
struct Canary: FuzzTarget {
  func run(_ input: UnsafeRawBufferPointer) {
    guard input.count >= 6, input.prefix(4).elementsEqual("RTK1".utf8) else { return }
    guard input[4] == 0x2A else { return }
    let count = Int(input[5])
    guard count > 200 else { return }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 200)
    defer { buffer.deallocate() }
    // What the address sanitizer is to notice.
    for index in 0..<count { buffer[index] = input[index % input.count] }
    require(buffer[0] == input[0], "the buffer was not filled")
  }

  func seeds() -> [[UInt8]] { [] }
}
