import ChunkFormat
import DequeModule
import FrameModel
import Synchronization

/// Tracks frames that are in memory and in no file yet. A killed recorder loses them, so they are
/// limited in bytes and in time.
///
/// Frames wait for an encoder first, then for the disk, in the order in which they are written. The
/// larger of the two waits tells whether encoding or the disk is the bottleneck.
package final class Backlog: Sendable {
  private struct State {
    /// Entry time of each frame, in nanoseconds of the monotonic clock.
    var entered: Deque<Int64> = []
    /// Place in `entered` of the first frame that no encoder has.
    var firstRaw = 0
    var rawByteCount = 0
    var encodedByteCount = 0
  }

  private let state: Mutex<State>
  private let byteLimit: Double
  private let nanosecondLimit: Double

  package init(byteLimit: Int, nanosecondLimit: Int64) {
    self.byteLimit = Double(max(1, byteLimit))
    self.nanosecondLimit = Double(max(1, nanosecondLimit))
    var state = State()
    state.entered.reserveCapacity(4096)
    self.state = Mutex(state)
  }

  // MARK: A frame's way

  package func enter(byteCount: Int, at now: MonotonicTime = .now()) {
    state.withLock {
      $0.entered.append(now.nanoseconds)
      $0.rawByteCount += byteCount
    }
  }

  /// Moves the oldest unencoded frame to an encoder.
  /// - Returns: the encoding effort to use for it.
  package func beginEncoding(at now: MonotonicTime = .now()) -> EncodingEffort {
    state.withLock { state in
      guard state.firstRaw < state.entered.count else { return .best }
      let entered = state.entered[state.firstRaw]
      let oldest = state.entered[0]
      state.firstRaw += 1
      return Self.effort(
        encoding: max(
          Double(state.rawByteCount) / byteLimit, Double(now.nanoseconds - entered) / nanosecondLimit),
        writing: max(Double(state.encodedByteCount) / byteLimit, Double(entered - oldest) / nanosecondLimit))
    }
  }

  package func endEncoding(rawByteCount: Int, byteCount: Int) {
    state.withLock {
      $0.rawByteCount -= rawByteCount
      $0.encodedByteCount += byteCount
    }
  }

  /// Removes the oldest frame, which is written or dropped.
  /// - Parameters:
  ///   - rawByteCount: its size if it was not encoded, otherwise 0.
  ///   - byteCount: its encoded size as passed to `endEncoding`, otherwise 0.
  package func leave(rawByteCount: Int = 0, byteCount: Int = 0) {
    state.withLock {
      $0.rawByteCount -= rawByteCount
      $0.encodedByteCount -= byteCount
      $0.entered.removeFirst()
      $0.firstRaw = max($0.firstRaw - 1, 0)
    }
  }

  // MARK: What follows from it

  /// Returns the larger share of the byte limit and of the time limit in use. At 1 or above, no
  /// more frames are accepted.
  package func load(at now: MonotonicTime = .now()) -> Double {
    state.withLock { state in
      guard let oldest = state.entered.first else { return 0 }
      return max(
        Double(state.rawByteCount + state.encodedByteCount) / byteLimit,
        Double(now.nanoseconds - oldest) / nanosecondLimit)
    }
  }

  /// Chooses the encoding effort. A cheaper codec saves processor time and costs disk bandwidth, so
  /// it is used only when encoding is the bottleneck. Frames are never stored raw for speed, since
  /// the larger write costs more time than it saves.
  /// - Parameters:
  ///   - encoding: share of the limits used by frames that wait for an encoder.
  ///   - writing: share of the limits used by frames that wait for the disk.
  static func effort(encoding: Double, writing: Double) -> EncodingEffort {
    encoding > 0.2 && encoding > writing ? .fast : .best
  }
}
