import ChunkFormat
import Foundation
import FrameModel
import Glibc
import Kernels
import Support
import Synchronization

/// Measures what devices deliver and what recording it would cost, without recording.
///
/// All frames are admitted as in a recorder. One thread encodes those it can, enough to measure
/// their cost; frames that its queue drops do not count as lost.
package final class CaptureProbe: Sendable {
  private let streams: [StreamDescription]
  private let queue: CaptureQueue
  private let accounts: Mutex<Accounts>
  private let costs: Mutex<[[ProbedFrameCost]]>
  private let done = DispatchSemaphore(value: 0)

  private struct Accounts {
    var admission: FrameAdmission
    var streams: [StreamAccount]
    var start = MonotonicTime(nanoseconds: 0)
    var failure: RetakeError?
    var isFinished = false
  }

  struct StreamAccount {
    /// From `sink(isLive:)` to the first frame.
    var firstFrameNanoseconds: Int64?
    var arrivals: [Int64] = []
    var presentations: [Int64] = []
    var byteCount = 0
    var events: [FrameEvent.Reason: Int] = [:]
    var lostCount = 0

    mutating func note(_ event: FrameEvent) {
      events[event.reason, default: 0] += event.count
      if event.isLoss { lostCount += event.count }
    }
  }

  /// Small, so that the device keeps its buffers.
  private static let queueLimit = 4

  package init(_ streams: [StreamDescription]) throws(RetakeError) {
    self.streams = streams
    queue = CaptureQueue(limit: Self.queueLimit * streams.count, streams: streams)
    let account = streams.map { _ in
      var account = StreamAccount()
      account.arrivals.reserveCapacity(1024)
      account.presentations.reserveCapacity(1024)
      return account
    }
    accounts = Mutex(Accounts(admission: FrameAdmission(streams: streams), streams: account))
    costs = Mutex(streams.map { _ in [] })
    let encoder = SendableEncoder(encoder: try FrameEncoder())
    let thread = Thread { [self] in
      encode(with: encoder.encoder)
      done.signal()
    }
    thread.name = "retake.probe"
    thread.start()
  }

  // Unchecked: the encoder is handed to the thread, which is its only user from then on.
  private struct SendableEncoder: @unchecked Sendable {
    let encoder: FrameEncoder
  }

  /// The sink for the device, which must be started right afterwards.
  package func sink(isLive: Bool) -> any CaptureSink {
    accounts.withLock { $0.start = .now() }
    return ProbeSink(probe: self, isLive: isLive)
  }

  package var isFinished: Bool { accounts.withLock { $0.isFinished } }

  /// Ends the probe. Stop the device first.
  package func finish() -> ProbeReport {
    queue.close()
    done.wait()
    done.signal()  // lets a second call return
    let costs = costs.withLock { $0 }
    return accounts.withLock { accounts in
      ProbeReport(
        streams: streams.indices.map { ProbedStream(streams[$0], accounts.streams[$0], costs[$0]) },
        failure: accounts.failure)
    }
  }

  // MARK: On the device's threads

  fileprivate func deliver(_ frame: CapturedFrame, isLive: Bool) {
    let stream = frame.streamIndex
    accounts.withLock { accounts in
      if accounts.streams[stream].firstFrameNanoseconds == nil {
        accounts.streams[stream].firstFrameNanoseconds =
          MonotonicTime.now().nanoseconds - accounts.start.nanoseconds
      }
      guard let admitted = accounts.admission.admit(frame, stream: stream, droppedBefore: 0, end: nil) else { return }
      accounts.streams[stream].arrivals.append(frame.arrival.nanoseconds)
      accounts.streams[stream].presentations.append(admitted.timestamps.presentation.nanoseconds)
      accounts.streams[stream].byteCount += frame.byteCount
      for event in admitted.events { accounts.streams[stream].note(event) }
    }
    queue.push(frame, stream: stream, waits: !isLive)
  }

  fileprivate func report(_ loss: CaptureLoss) {
    accounts.withLock { accounts in
      let event = accounts.admission.admit(loss, stream: loss.streamIndex)
      accounts.streams[loss.streamIndex].note(event)
    }
  }

  fileprivate func finished(_ error: RetakeError?) {
    accounts.withLock { accounts in
      accounts.failure = accounts.failure ?? error
      accounts.isFinished = true
    }
  }

  // MARK: On the encoder's

  private func encode(with encoder: FrameEncoder) {
    var scratch: FrameBuffer?
    while let item = queue.pop() {
      guard case .frame(let frame, let stream, _, _) = item else { continue }
      let before = Self.threadNanoseconds()
      let bytes = frame.packedBytes(scratch: &scratch)
      _ = Checksum.xxh3(bytes)
      let count = (try? encoder.encode(bytes, layout: frame.layout) { _, payload in payload.count }) ?? bytes.count
      let cost = ProbedFrameCost(
        rawByteCount: bytes.count, storedByteCount: count, nanoseconds: Self.threadNanoseconds() - before)
      withExtendedLifetime((frame.buffer, scratch)) {}
      costs.withLock { $0[stream].append(cost) }
    }
  }

  private static func threadNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private struct ProbeSink: CaptureSink {
  let probe: CaptureProbe
  let isLive: Bool

  func deliver(_ frame: CapturedFrame) { probe.deliver(frame, isLive: isLive) }
  func report(_ loss: CaptureLoss) { probe.report(loss) }
  func finished(_ error: RetakeError?) { probe.finished(error) }
}
