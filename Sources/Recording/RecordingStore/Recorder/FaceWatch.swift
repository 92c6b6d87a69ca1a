import ChunkFormat
import Foundation
import FrameModel
import Glibc
import Support

/// Detects faces during a recording, on its own thread, without delaying the recording.
///
/// With a live source, a newer frame replaces the one that waits for the detector; the replaced
/// frame is reported as skipped. With other sources every frame is examined synchronously, so that
/// equal input gives equal recordings. Every offered frame gets exactly one message.
package final class FaceWatch: @unchecked Sendable {
  // Unchecked: state shared by threads is guarded by `condition`; the rest belongs to the writer.
  package let stream: Int
  package let depthStream: Int?
  private let observer: any FaceObserver
  let detector: String

  private let condition = NSCondition()
  private var waiting: Look?
  private var isBusy = false
  private var isEnding = false
  private var results: [FacesMessage] = []
  private var ownFailure: RetakeError?

  /// Used by the writer only: the latest depth frame, and whether the thread was started.
  private var depth: (picture: FramePicture, arrival: MonotonicTime)?
  private var hasThread = false
  /// Number of the last examined frame. Used by the detector thread only, or for sources that wait,
  /// by the writer only.
  private var lastLooked = -1
  /// Depth whose arrival differs by more than this belongs to another moment.
  private static let depthNanoseconds: Int64 = 150_000_000

  private struct Look {
    var color: FramePicture
    var depth: FramePicture?
    var message: FacesMessage
  }

  package init?(_ faces: FaceRecording) {
    guard case .detector(let observer, let stream, let depthStream) = faces else { return nil }
    self.observer = observer
    self.stream = stream
    self.depthStream = depthStream
    detector = observer.detector
  }

  func skipped(number: Int, at time: PresentationTime) -> FacesMessage {
    FacesMessage(
      stream: stream, frameNumber: number, presentation: time, faces: [], detector: detector, isSkipped: true)
  }

  /// The error that stopped detection, other than an unreadable frame. Later frames are skipped.
  package var failure: RetakeError? { condition.withLock { ownFailure } }

  // MARK: The writer's side

  /// Offers a frame of any stream. Returns at once for live sources; otherwise runs the detector.
  package func offer(_ frame: CapturedFrame, number: Int, at time: PresentationTime, stream: Int, isLive: Bool) {
    if stream == depthStream, !frame.flags.contains(.damaged) { depth = (FramePicture(frame), frame.arrival) }
    guard stream == self.stream else { return }
    let picture = FramePicture(frame)
    let near = depth.flatMap {
      abs($0.arrival.nanoseconds - frame.arrival.nanoseconds) <= Self.depthNanoseconds ? $0.picture : nil
    }
    let look = Look(color: picture, depth: near, message: skipped(number: number, at: time))
    // An incomplete frame may show no face or half of one, so it is skipped. So are duplicates.
    guard picture.isWhole, !frame.flags.contains(.damaged), !frame.flags.contains(.duplicate) else {
      return condition.withLock { results.append(look.message) }
    }
    guard isLive else {
      let message = observed(look)
      return condition.withLock { results.append(message) }
    }
    startThread()
    condition.withLock {
      if let late = waiting { results.append(late.message) }
      waiting = look
      condition.broadcast()
    }
  }

  /// Returns the messages since the last call, in completion order.
  package func takeResults() -> [FacesMessage] {
    condition.withLock {
      defer { results = [] }
      return results
    }
  }

  /// Waits for the frame that is being examined and skips the one that waits. No frame may be
  /// offered afterwards.
  package func finish() -> [FacesMessage] {
    condition.withLock {
      isEnding = true
      if let late = waiting { results.append(late.message) }
      waiting = nil
      condition.broadcast()
      while isBusy { condition.wait() }
    }
    depth = nil
    return takeResults()
  }

  // MARK: The detector's side

  private func observed(_ look: Look) -> FacesMessage {
    var message = look.message
    guard failure == nil else { return message }
    do throws(RetakeError) {
      observer.skip(message.frameNumber - lastLooked - 1)
      lastLooked = message.frameNumber
      message.faces = try observer.faces(in: look.color, depth: look.depth)
      message.isSkipped = false
    } catch {
      // Skips an unreadable frame. Other errors stop detection, since they would recur in every
      // frame.
      if error.code != .corrupt { condition.withLock { ownFailure = error } }
    }
    return message
  }

  private func startThread() {
    guard !hasThread else { return }
    hasThread = true
    let thread = Thread { [self] in
      // On Linux this sets the nice value of this thread alone, so detection yields to capture
      // under load.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      serve()
    }
    thread.name = "retake.faces"
    thread.start()
  }

  private func serve() {
    while true {
      let look: Look? = condition.withLock {
        while waiting == nil && !isEnding { condition.wait() }
        guard let look = waiting, !isEnding else { return nil }
        waiting = nil
        isBusy = true
        return look
      }
      guard let look else { return }
      let message = observed(look)
      condition.withLock {
        results.append(message)
        isBusy = false
        condition.broadcast()
      }
    }
  }
}
