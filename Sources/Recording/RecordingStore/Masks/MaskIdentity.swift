import FrameModel
import Kernels
import Support

/// Which masks a network makes of a recording: what they are kept under, and what digests name.
package struct MaskIdentity: Hashable, Sendable {
  /// Of the model's bytes, and of everything that is done to its input and output before 8 bits are left of it.
  package let network: String
  /// Of the network, the recording and its colour stream; a folder's name.
  package let key: String

  package init(network: String, recordingID: String, stream: String) {
    self.network = network
    let text = "masks\nrecording=\(recordingID)\nstream=\(stream)\nnetwork=\(network)\n"
    key = Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }

  /// XXH3-128 of a model's bytes and of a text with its settings.
  package static func network(_ model: UnsafeRawBufferPointer, settings: String) -> String {
    let text = "model=\(Checksum.xxh3Hex128(model))\n\(settings)\n"
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}

extension RecordingFolder {
  /// Where masks are kept, in a folder for each key.
  package var masksPath: String { path + "/masks" }

  package func masksPath(key: String) -> String { masksPath + "/" + key }
}
