import FrameModel
import Kernels
import Support
import Synchronization

/// A network shared by many masks. It runs once per frame, and on one thread at a time. Several
/// trees may share it.
package final class SharedSegmenter: PersonSegmenter {
  /// The result for a frame; the memory of its mask is reused.
  private struct Answer {
    let number: Int
    /// Whether the network gave an answer; an error is repeated to every mask.
    let result: Result<Bool, RetakeError>
    let nanoseconds: Int
    let mask: PixelPlane<UInt8>
  }

  /// Number of cached answers. Trees with different frame orders are a few frames apart.
  private static let answerLimit = 8

  private let segmenter: any PersonSegmenter
  private let lock = Mutex(())
  private var answers: [Answer] = []

  package init(_ segmenter: any PersonSegmenter) { self.segmenter = segmenter }

  package var maskSize: (width: Int, height: Int) { segmenter.maskSize }
  package var answer: SegmentationAnswer { segmenter.answer }

  package func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
  {
    try ask(frame, picture, into: target).isAnswered
  }

  /// - Returns: whether there was an answer, and the CPU time that the network took for it.
  func ask(_ frame: Frame, _ picture: PixelPlane<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> (isAnswered: Bool, nanoseconds: Int)
  {
    try lock.withLock { _ throws(RetakeError) in
      let answer: Answer
      if let known = answers.last(where: { $0.number == frame.number }) {
        answer = known
      } else {
        let oldest = answers.count == Self.answerLimit ? answers.removeFirst().mask : nil
        let mask = oldest ?? PixelPlane(width: maskSize.width, height: maskSize.height)
        let start = ThreadTime.nanoseconds()
        let result: Result<Bool, RetakeError>
        do throws(RetakeError) {
          result = .success(try segmenter.segment(frame, picture, into: mask.samples))
        } catch {
          result = .failure(error)
        }
        answer = Answer(
          number: frame.number, result: result, nanoseconds: ThreadTime.nanoseconds() - start, mask: mask)
        answers.append(answer)
      }
      let isAnswered = try answer.result.get()
      if isAnswered { target.update(from: answer.mask.samples, count: answer.mask.count) }
      return (isAnswered, answer.nanoseconds)
    }
  }
}

/// A shared network with time accounting for one mask: each mask is charged the network's full
/// time, no matter which one ran it.
final class MeteredSegmenter: PersonSegmenter {
  private let segmenter: SharedSegmenter
  private var correction = 0

  init(_ segmenter: SharedSegmenter) { self.segmenter = segmenter }

  var maskSize: (width: Int, height: Int) { segmenter.maskSize }
  var answer: SegmentationAnswer { segmenter.answer }

  func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
  {
    let start = ThreadTime.nanoseconds()
    let (isAnswered, nanoseconds) = try segmenter.ask(frame, picture, into: target)
    correction += nanoseconds - (ThreadTime.nanoseconds() - start)
    return isAnswered
  }

  /// Returns the time to add to the measured time of the mask since the last call.
  func takeCorrection() -> Int {
    defer { correction = 0 }
    return correction
  }
}

/// A background shared by many composites. It is read once per moment, so that its picture stays
/// valid while they use it.
final class SharedBackground: BackgroundSource {
  private let source: any BackgroundSource
  private let lock = Mutex(())
  private var latest: (moment: PresentationTime, picture: BackgroundPicture?)?

  init(_ source: any BackgroundSource) { self.source = source }

  var size: (width: Int, height: Int) { source.size }

  func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
    try lock.withLock { _ throws(RetakeError) in
      if let latest, latest.moment == moment { return latest.picture }
      let picture = try source.picture(at: moment)
      latest = (moment, picture)
      return picture
    }
  }
}
