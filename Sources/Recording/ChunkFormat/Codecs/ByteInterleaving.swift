/// Splits and joins interleaved bytes, in plain loops that the compiler vectorises.
enum ByteInterleaving {
  typealias Source = UnsafePointer<UInt8>
  package typealias Target = UnsafeMutablePointer<UInt8>

  /// - Parameter count: byte pairs.
  static func split(_ source: Source, count: Int, _ first: Target, _ second: Target) {
    for i in 0..<count {
      first[i] = source[2 &* i]
      second[i] = source[2 &* i &+ 1]
    }
  }

  static func join(_ first: Source, _ second: Source, count: Int, _ target: Target) {
    for i in 0..<count {
      target[2 &* i] = first[i]
      target[2 &* i &+ 1] = second[i]
    }
  }

  /// - Parameter count: groups of Y U Y V.
  static func splitYUYV(_ source: Source, count: Int, _ y: Target, _ u: Target, _ v: Target) {
    for i in 0..<count {
      y[2 &* i] = source[4 &* i]
      u[i] = source[4 &* i &+ 1]
      y[2 &* i &+ 1] = source[4 &* i &+ 2]
      v[i] = source[4 &* i &+ 3]
    }
  }

  static func joinYUYV(_ y: Source, _ u: Source, _ v: Source, count: Int, _ target: Target) {
    for i in 0..<count {
      target[4 &* i] = y[2 &* i]
      target[4 &* i &+ 1] = u[i]
      target[4 &* i &+ 2] = y[2 &* i &+ 1]
      target[4 &* i &+ 3] = v[i]
    }
  }
}
