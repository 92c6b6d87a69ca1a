import ChunkFormat
import Foundation
import FrameModel
import Glibc
import Support

/// Looks for faces beside a recording, on a thread of its own, and never delays it.
///
/// Of live frames the newest waits for the detector, and takes the place of one that was waiting: that one is skipped, and
/// a message says so. Frames of a source that waits are looked at one and all, at once, so that equal input gives equal
/// recordings. Whatever frame was offered, there is one message for it in the end.
package final class FaceWatch: @unchecked Sendable {
  // Unchecked: what threads share is guarded by `condition`; the rest is the writer's.
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

  /// The writer's alone: the depth frame that came last, and whether the thread was started.
  private var depth: (picture: FramePicture, arrival: MonotonicTime)?
  private var hasThread = false
  /// The thread's alone, or where the source waits the writer's: number of the frame that was looked at last.
  private var lastLooked = -1
  /// Depth that arrived longer before or after is of another moment.
  private static let depthNanoseconds: Int64 = 150_000_000

  private struct Look {
    var color: FramePicture
    var depth: FramePicture?
    /// As it is to be written when nobody comes to look.
    var message: FacesMessage
  }

  /// - Returns: nil where no detector looks.
  package init?(_ faces: FaceRecording) {
    guard case .detector(let observer, let stream, let depthStream) = faces else { return nil }
    self.observer = observer
    self.stream = stream
    self.depthStream = depthStream
    detector = observer.detector
  }

  /// What is written of a frame that nobody came to look at.
  func skipped(number: Int, at time: PresentationTime) -> FacesMessage {
    FacesMessage(
      stream: stream, frameNumber: number, presentation: time, faces: [], detector: detector, isSkipped: true)
  }

  /// Why the detector is no longer asked: a failure that is not one frame's. The frames since are skipped.
  package var failure: RetakeError? { condition.withLock { ownFailure } }

  // MARK: The writer's side

  /// Every frame of every stream passes here. Returns at once, unless the frame's source waits.
  package func offer(_ frame: CapturedFrame, number: Int, at time: PresentationTime, stream: Int, isLive: Bool) {
    if stream == depthStream, !frame.flags.contains(.damaged) { depth = (FramePicture(frame), frame.arrival) }
    guard stream == self.stream else { return }
    let picture = FramePicture(frame)
    let near = depth.flatMap {
      abs($0.arrival.nanoseconds - frame.arrival.nanoseconds) <= Self.depthNanoseconds ? $0.picture : nil
    }
    let look = Look(color: picture, depth: near, message: skipped(number: number, at: time))
    // What is not whole shows no face, or half of one.
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

  /// What has become known since the last call, in the order in which it did.
  package func takeResults() -> [FacesMessage] {
    condition.withLock {
      defer { results = [] }
      return results
    }
  }

  /// Waits for the frame that is being looked at; one that waits is skipped. Nothing may be offered afterwards.
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
      // One that could not be read costs itself alone. What else goes wrong does so in every frame, and takes its time.
      if error.code != .corrupt { condition.withLock { ownFailure = error } }
    }
    return message
  }

  private func startThread() {
    guard !hasThread else { return }
    hasThread = true
    let thread = Thread { [self] in
      // On Linux this is the thread's alone. A machine that is short of time takes it from here first.
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
