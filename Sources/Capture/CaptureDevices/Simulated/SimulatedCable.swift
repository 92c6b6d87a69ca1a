import FrameModel
import Support
import Synchronization

/// The world of a simulated camera that is unplugged or stalls: it goes on meanwhile, and the camera comes back to it.
///
/// Such a camera's instants are counted from the first start of any with its specification in this process. Opened again
/// it sees the instant that has come since; its sequence numbers and its clock begin anew, as a real camera's do.
struct SimulatedCable: Sendable {
  private static let firstStarts = Mutex<[String: MonotonicTime]>([:])

  private let text: String
  private let options: SimulationOptions

  init(_ specification: DeviceSpecification, _ options: SimulationOptions) {
    text = specification.text
    self.options = options
  }

  private var canGo: Bool { options.unplugged != nil || options.silent != nil }

  /// The instant that comes next, `now`; 0 before the first start.
  private func instant(_ now: MonotonicTime, since start: MonotonicTime) -> Int {
    let period = options.rate.periodNanoseconds
    return Int((now.nanoseconds - start.nanoseconds + period - 1) / period)
  }

  /// - Throws: `.disconnected` while the camera is unplugged.
  func checkPlugged(now: MonotonicTime) throws(RetakeError) {
    guard let unplugged = options.unplugged, let start = Self.firstStarts.withLock({ $0[text] }),
      unplugged.contains(instant(now, since: start))
    else { return }
    throw SimulatedCable.unpluggedError
  }

  static let unpluggedError = RetakeError(
    .disconnected, "The simulated camera was unplugged.", hint: "it comes back by itself")

  /// When instant 0 is or was, and which is the first that a camera started now sees.
  func start(now: MonotonicTime) -> (epoch: MonotonicTime, firstInstant: Int) {
    guard canGo else { return (now, 0) }
    let epoch = Self.firstStarts.withLock { starts in
      let epoch = starts[text] ?? now
      starts[text] = epoch
      return epoch
    }
    // Depth comes with every so many of them, and with the first.
    let stride = options.framesPerDepth
    return (epoch, (instant(now, since: epoch) + stride - 1) / stride * stride)
  }
}
