import ChunkFormat
import FrameModel
import Synchronization

/// The account of frames that devices gave and that no file holds yet. What a killed recorder loses is in it, so it is bounded
/// in bytes and in time.
///
/// Frames enter in the order in which they are written: first they wait for an encoder, then for the disk. Which of the two
/// holds more of the time tells what the recording is bound by.
final class Backlog: Sendable {
  private struct State {
    /// When each frame entered, on the monotonic clock; those before `head` are written.
    var entered: [Int64] = []
    var head = 0
    /// Frames from here on wait for an encoder.
    var firstRaw = 0
    var rawByteCount = 0
    var encodedByteCount = 0
  }

  private let state: Mutex<State>
  private let byteLimit: Double
  private let nanosecondLimit: Double

  init(byteLimit: Int, nanosecondLimit: Int64) {
    self.byteLimit = Double(max(1, byteLimit))
    self.nanosecondLimit = Double(max(1, nanosecondLimit))
    var state = State()
    state.entered.reserveCapacity(4096)
    self.state = Mutex(state)
  }

  // MARK: A frame's way

  func enter(byteCount: Int, at now: MonotonicTime = .now()) {
    state.withLock {
      $0.entered.append(now.nanoseconds)
      $0.rawByteCount += byteCount
    }
  }

  /// The oldest frame that waits for an encoder gets one.
  /// - Returns: how much effort it is worth.
  func beginEncoding(at now: MonotonicTime = .now()) -> EncodingEffort {
    state.withLock { state in
      guard state.firstRaw < state.entered.count else { return .best }
      let entered = state.entered[state.firstRaw]
      let oldest = state.entered[state.head]
      state.firstRaw += 1
      return Self.effort(
        encoding: max(
          Double(state.rawByteCount) / byteLimit, Double(now.nanoseconds - entered) / nanosecondLimit),
        writing: max(Double(state.encodedByteCount) / byteLimit, Double(entered - oldest) / nanosecondLimit))
    }
  }

  /// A frame is encoded, and waits for the disk with so many bytes.
  func endEncoding(rawByteCount: Int, byteCount: Int) {
    state.withLock {
      $0.rawByteCount -= rawByteCount
      $0.encodedByteCount += byteCount
    }
  }

  /// The oldest frame of all is written, or will not be.
  /// - Parameters:
  ///   - rawByteCount: 0 for one that was encoded.
  ///   - byteCount: as it was when it was encoded.
  func leave(rawByteCount: Int = 0, byteCount: Int = 0) {
    state.withLock {
      $0.rawByteCount -= rawByteCount
      $0.encodedByteCount -= byteCount
      $0.head += 1
      $0.firstRaw = max($0.firstRaw, $0.head)
      guard $0.head == $0.entered.count || $0.head >= 2048 else { return }
      $0.entered.removeFirst($0.head)
      $0.firstRaw -= $0.head
      $0.head = 0
    }
  }

  // MARK: What follows from it

  /// The share of what may wait, in bytes or in time: from 1 on nothing more is taken in.
  func load(at now: MonotonicTime = .now()) -> Double {
    state.withLock { state in
      guard state.head < state.entered.count else { return 0 }
      return max(
        Double(state.rawByteCount + state.encodedByteCount) / byteLimit,
        Double(now.nanoseconds - state.entered[state.head]) / nanosecondLimit)
    }
  }

  /// A cheaper codec takes less of the processors and more of the disk: it helps only where the encoders are the bound. Frames
  /// are never stored raw for speed: that takes more time to write than it saves.
  /// - Parameters:
  ///   - encoding: the share of what may wait that waits for an encoder.
  ///   - writing: the share that waits for the disk.
  static func effort(encoding: Double, writing: Double) -> EncodingEffort {
    encoding > 0.2 && encoding > writing ? .fast : .best
  }
}
