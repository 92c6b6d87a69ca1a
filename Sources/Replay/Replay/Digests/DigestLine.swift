import Kernels
import Support

package struct DigestLine: Hashable, Sendable {
  package var frame: Int
  /// In the order of `DigestStage`: 32 hexadecimal digits each, or "none".
  package var digests: [String]

  package init(frame: Int, digests: [String]) {
    precondition(digests.count == DigestStage.allCases.count)
    self.frame = frame
    self.digests = digests
  }

  package subscript(stage: DigestStage) -> String { digests[stage.position] }

  package var json: JSONObject {
    var line = JSONObject()
    line.add("frame", frame)
    for stage in DigestStage.allCases { line.add(stage.rawValue, self[stage]) }
    return line
  }
}

/// The last line of a file of digests. A file without it is truncated.
package struct DigestFooter: Hashable, Sendable {
  package var frames: Int
  /// Digest of all digests of all lines: see `DigestRoll`.
  package var all: String
  /// Digest of all network masks; nil without a network.
  package var masks: String?

  package init(frames: Int, all: String, masks: String? = nil) {
    self.frames = frames
    self.all = all
    self.masks = masks
  }

  package var json: JSONObject {
    JSONObject(["frames": frames, "all": all, "masks": masks])
  }
}

package struct DigestRoll: Sendable {
  package private(set) var frames = 0
  private var text: [UInt8] = []

  package init() {}

  package mutating func add(_ line: DigestLine) {
    for digest in line.digests { text += Array(digest.utf8) }
    // Replaced by its own digest regularly, to bound memory use.
    if text.count > 1 << 16 { text = Array(hex.utf8) }
    frames += 1
  }

  package var hex: String { text.withRawBytes { Checksum.xxh3Hex128($0) } }
}
