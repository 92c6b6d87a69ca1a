import FrameModel
import Support

@testable import ChunkFormat

struct FileTarget: FuzzTarget {
  private let messages: MessageCheck

  init() throws(RetakeError) { messages = try MessageCheck() }

  func run(_ input: UnsafeRawBufferPointer) { FileCheck(Array(input), messages).run() }

  func seeds() throws -> [[UInt8]] { try SeedFiles.all() }
}
