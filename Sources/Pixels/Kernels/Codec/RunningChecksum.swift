import CXXHash
import FrameModel

/// Incremental XXH3-128.
package final class RunningChecksum {
  private let state = XXH3_createState()!

  package init() { XXH3_128bits_reset(state) }

  deinit { XXH3_freeState(state) }

  package func add(_ bytes: UnsafeRawBufferPointer) { XXH3_128bits_update(state, bytes.baseAddress, bytes.count) }

  /// The hash of all bytes added so far, as `Checksum.xxh3Hex128` writes it.
  package var hex: String {
    let hash = XXH3_128bits_digest(state)
    return FrameDigest(high: hash.high64, low: hash.low64).hex
  }
}
