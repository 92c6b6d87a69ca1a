extension Array {
  /// `withUnsafeBytes` with typed errors; the standard library's rethrows untyped.
  package func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { elements throws(Failure) in try body(UnsafeRawBufferPointer(elements)) }
  }

  /// `withUnsafeMutableBytes` with typed errors.
  package mutating func withMutableRawBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutableBufferPointer { elements throws(Failure) in
      try body(UnsafeMutableRawBufferPointer(elements))
    }
  }
}
