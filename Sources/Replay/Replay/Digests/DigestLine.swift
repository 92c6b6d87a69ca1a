import FrameModel
import Kernels
import Support

/// The digests of one frame.
package struct DigestLine: Hashable, Sendable {
  package var frame: Int
  /// In `DigestStage`'s order: 32 hexadecimal digits, or "none".
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

/// The last line of a file of digests. A file that lacks it was cut off.
package struct DigestFooter: Hashable, Sendable {
  /// Lines before it.
  package var frames: Int
  /// Of all digests of all lines.
  package var all: String
  /// Of all masks that a network gave; nil where there is none.
  package var masks: String?

  package init(frames: Int, all: String, masks: String? = nil) {
    self.frames = frames
    self.all = all
    self.masks = masks
  }

  package var json: JSONObject {
    var last = JSONObject()
    last.add("frames", frames)
    last.add("all", all)
    if let masks { last.add("masks", masks) }
    return last
  }
}

/// The digest of all digests, as they come.
package struct DigestRoll: Sendable {
  package private(set) var frames = 0
  private var text: [UInt8] = []

  package init() {}

  package mutating func add(_ line: DigestLine) {
    for digest in line.digests { text += Array(digest.utf8) }
    // Rolled up as it goes, so that memory does not grow with the recording.
    if text.count > 1 << 16 { text = Array(hex.utf8) }
    frames += 1
  }

  package var hex: String { text.withRawBytes { Checksum.xxh3Hex128($0) } }
}
