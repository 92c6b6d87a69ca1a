extension Array {
  /// `withUnsafeBytes`, which the standard library rethrows untyped, with typed errors passed through.
  package func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { elements throws(Failure) in try body(UnsafeRawBufferPointer(elements)) }
  }

  /// `withUnsafeMutableBytes`, likewise.
  package mutating func withMutableRawBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutableBufferPointer { elements throws(Failure) in
      try body(UnsafeMutableRawBufferPointer(elements))
    }
  }
}
