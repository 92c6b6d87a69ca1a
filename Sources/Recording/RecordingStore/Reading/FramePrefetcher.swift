import FrameModel
import Support

/// Reads and decodes frames ahead of whoever wants them, on several threads, and gives them back in the order in which they
/// were asked for. Serves one thread.
package final class FramePrefetcher {
  private typealias Workers = OrderedWorkers<FrameRow, Result<Frame, RetakeError>>

  private enum Source {
    case own(Workers)
    case shared(DecodedFrames, limit: Int)
  }
  private let source: Source
  /// Those that were requested of shared frames and not taken yet.
  private var rows = Queue<FrameRow>()

  /// - Parameters:
  ///   - threadCount: changes how fast frames come and nothing else.
  ///   - limit: frames that may be under way at once; together they are what it holds in memory.
  ///   - heldCount: frames of a stream that the taker holds on to; they have buffers that are used again too.
  package init(_ recording: Recording, threadCount: Int, limit: Int, heldCount: Int = 0) throws(RetakeError) {
    source = .own(
      try Workers(threadCount: threadCount, placeCount: limit, name: "decoder") {
        () throws(RetakeError) in
        let reader = try FrameReader(recording, heldFrameLimit: limit + heldCount)
        return { row in
          do throws(RetakeError) {
            return .success(try reader.frame(row))
          } catch {
            return .failure(error)
          }
        }
      })
  }

  /// One of several that want the same frames.
  /// - Parameter limit: frames that may be under way at once.
  package init(_ frames: DecodedFrames, limit: Int) { source = .shared(frames, limit: limit) }

  deinit {
    switch source {
    case .own(let workers): workers.end()
    case .shared(let frames, _): for row in rows.popAll() { frames.letGo(row) }
    }
  }

  /// Frames that can be requested before one is taken.
  package var room: Int {
    switch source {
    case .own(let workers): workers.room
    case .shared(_, let limit): limit - rows.count
    }
  }

  /// - Precondition: there is room.
  package func request(_ row: FrameRow) {
    switch source {
    case .own(let workers): workers.submit(row)
    case .shared(let frames, _):
      frames.request(row)
      rows.append(row)
    }
  }

  /// The frame that was requested first of those that were not taken yet.
  /// - Throws: what reading it throws.
  /// - Precondition: one was requested.
  package func next() throws(RetakeError) -> Frame {
    switch source {
    case .own(let workers):
      guard let result = workers.takeOldest(waits: true) else { preconditionFailure("no frame was requested") }
      return try result.get()
    case .shared(let frames, _):
      guard let row = rows.popFirst() else { preconditionFailure("no frame was requested") }
      return try frames.take(row)
    }
  }
}
