/// Takes an input apart from the front. What an input lacks reads as 0, so that every input means something.
struct FuzzInput {
  private(set) var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { take(1).first ?? 0 }

  mutating func word16() -> Int { Int(byte()) | Int(byte()) << 8 }

  /// So many bytes, or as many as there are.
  mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
    let count = min(count, rest.count)
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }
}
