import ChunkFormat

/// Code to fuzz with arbitrary bytes. Defects end the process: by a trap, the address sanitizer or
/// `require`.
protocol FuzzTarget {
  func run(_ input: UnsafeRawBufferPointer)
  /// Inputs to start from, made by the real encoders.
  func seeds() throws -> [[UInt8]]
}

enum FuzzTargets {
  struct Entry: Sendable {
    let name: String
    let make: @Sendable () throws -> any FuzzTarget
  }

  static let all: [Entry] =
    [
      Entry(name: "canary") { Canary() },
      Entry(name: "file") { try FileTarget() },
      Entry(name: "records") { try RecordsTarget() },
      Entry(name: "bundle") { BundleTarget() },
      Entry(name: "bundle-parts") { BundlePartsTarget() },
    ]
    + FrameCodec.allCases.map { codec in
      Entry(name: "decode-\(codec.rawValue)") { try DecoderTarget(codec) }
    }
}

/// Checks a promise that holds for every input. Unlike `precondition`, it is active in every build
/// and prints the promise.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
  guard !condition else { return }
  fatalError("broken promise: \(promise())")
}
