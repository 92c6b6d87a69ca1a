import CXXHash
import FrameModel

/// XXH3-128 of bytes that come a part at a time.
package final class RunningChecksum {
  private let state = XXH3_createState()!

  package init() { XXH3_128bits_reset(state) }

  deinit { XXH3_freeState(state) }

  package func add(_ bytes: UnsafeRawBufferPointer) { XXH3_128bits_update(state, bytes.baseAddress, bytes.count) }

  /// Of all there was until now; as `Checksum.xxh3Hex128` of all of it at once.
  package var hex: String {
    let hash = XXH3_128bits_digest(state)
    return FrameDigest(high: hash.high64, low: hash.low64).hex
  }
}
