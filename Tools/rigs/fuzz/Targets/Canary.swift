/// A planted defect. A fuzzer that misses it for two minutes would find nothing else either.
///
/// Like real defects, it lies behind a magic number and a trusted length. Each condition has its
/// own branch, so that the fuzzer sees progress; with two in one branch, most runs missed it.
struct Canary: FuzzTarget {
  func run(_ input: UnsafeRawBufferPointer) {
    guard input.count >= 6, input.prefix(4).elementsEqual("RTK1".utf8) else { return }
    guard input[4] == 0x2A else { return }
    let count = Int(input[5])
    guard count > 200 else { return }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 200)
    defer { buffer.deallocate() }
    // The overflow that the address sanitizer must report.
    for index in 0..<count { buffer[index] = input[index % input.count] }
    require(buffer[0] == input[0], "the buffer was not filled")
  }

  func seeds() -> [[UInt8]] { [] }
}
