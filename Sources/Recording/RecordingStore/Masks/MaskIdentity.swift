import Kernels
import Support

/// Identifies the masks that a network makes of a recording, for storage and in digests.
package struct MaskIdentity: Hashable, Sendable {
  /// Hash of the model's bytes and of all processing of its input and output up to 8-bit samples.
  package let network: String
  /// Hash of the network, the recording and its colour stream. A folder is named after it.
  package let key: String

  package init(network: String, recordingID: String, stream: String) {
    self.network = network
    let text = "masks\nrecording=\(recordingID)\nstream=\(stream)\nnetwork=\(network)\n"
    key = Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }

  /// XXH3-128 of a model's bytes and its settings text.
  package static func network(_ model: UnsafeRawBufferPointer, settings: String) -> String {
    let text = "model=\(Checksum.xxh3Hex128(model))\n\(settings)\n"
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}

extension RecordingFolder {
  package var masksPath: String { path + "/masks" }

  package func masksPath(key: String) -> String { masksPath + "/" + key }
}
