import FrameModel
import Kernels
import Support
import Synchronization

/// A network that many masks of one frame ask: it is asked once, and answers one at a time. Several trees may have it in common.
package final class SharedSegmenter: PersonSegmenter {
  /// What it said of a frame; its mask's memory is used again for another one.
  private struct Answer {
    let number: Int
    /// Whether it had an answer; what went wrong is every mask's too.
    let result: Result<Bool, RetakeError>
    let nanoseconds: Int
    let mask: PixelPlane<UInt8>
  }

  /// Trees that are given frames in another order are some frames apart.
  private static let answerLimit = 8

  private let segmenter: any PersonSegmenter
  private let lock = Mutex(())
  /// The newest is the last.
  private var answers: [Answer] = []

  package init(_ segmenter: any PersonSegmenter) { self.segmenter = segmenter }

  package var maskSize: (width: Int, height: Int) { segmenter.maskSize }
  package var answer: SegmentationAnswer { segmenter.answer }

  package func segment(_ frame: Frame, _ picture: PixelPlane<UInt8>, into target: UnsafeMutablePointer<UInt8>)
    throws(RetakeError) -> Bool
  {
    try ask(frame, picture, into: target).isAnswered
  }

  /// - Returns: beside whether there was an answer the CPU time that it took when the network was asked.
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

/// A shared network as one mask sees it: it takes the same time for each that asks, whoever asked first.
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

  /// What is to be added to the time that the mask took, since this was last asked.
  func takeCorrection() -> Int {
    defer { correction = 0 }
    return correction
  }
}

/// A background that many composites of one frame ask for: it is asked once for a moment, so that its picture stays while they
/// look at it.
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
