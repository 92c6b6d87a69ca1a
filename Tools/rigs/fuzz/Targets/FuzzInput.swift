/// Consumes an input from the front. Missing bytes read as 0, so every input is valid.
struct FuzzInput {
  private(set) var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { take(1).first ?? 0 }

  mutating func word16() -> Int { Int(byte()) | Int(byte()) << 8 }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
    let count = min(count, rest.count)
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }
}
