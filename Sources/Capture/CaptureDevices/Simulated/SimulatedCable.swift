import FrameModel
import Support
import Synchronization

/// Timeline of a simulated camera that is unplugged or stalls. Instants count from the first start,
/// in this process, of a camera with the same specification. A reopened camera continues at the
/// current instant, with its sequence numbers and clock restarted.
struct SimulatedCable: Sendable {
  private static let firstStarts = Mutex<[String: MonotonicTime]>([:])

  private let text: String
  private let options: SimulationOptions

  init(_ specification: DeviceSpecification, _ options: SimulationOptions) {
    text = specification.text
    self.options = options
  }

  private func instant(_ now: MonotonicTime, since start: MonotonicTime) -> Int {
    let period = options.scene.rate.periodNanoseconds
    return Int((now.nanoseconds - start.nanoseconds + period - 1) / period)
  }

  /// - Throws: `.disconnected` while the camera is unplugged.
  func checkPlugged(now: MonotonicTime) throws(RetakeError) {
    guard let unplugged = options.unplugged, let start = Self.firstStarts.withLock({ $0[text] }),
      unplugged.contains(instant(now, since: start))
    else { return }
    throw Self.unpluggedError
  }

  static let unpluggedError = RetakeError(
    .disconnected, "The simulated camera was unplugged.", hint: "it is plugged in again by itself")

  /// The time of instant 0, and the first instant that a camera started now delivers.
  func start(now: MonotonicTime) -> (epoch: MonotonicTime, firstInstant: Int) {
    guard options.unplugged != nil || options.silent != nil else { return (now, 0) }
    let epoch = Self.firstStarts.withLock { starts in
      let epoch = starts[text] ?? now
      starts[text] = epoch
      return epoch
    }
    // Starts with an instant that has a depth frame.
    let stride = options.framesPerDepth
    return (epoch, (instant(now, since: epoch) + stride - 1) / stride * stride)
  }
}
