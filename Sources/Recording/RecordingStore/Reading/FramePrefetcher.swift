import FrameModel
import Support

/// Reads and decodes frames ahead, on several threads, and returns them in the order of requests.
/// Serves one thread.
package final class FramePrefetcher {
  private typealias Workers = OrderedWorkers<FrameRow, Result<Frame, RetakeError>>

  private enum Source {
    case own(Workers)
    case shared(DecodedFrames, limit: Int)
  }
  private let source: Source
  /// Requested frames that have not been taken; used with shared frames only.
  private var rows: [FrameRow] = []

  /// - Parameters:
  ///   - limit: frames requested and not taken yet; bounds the memory use.
  ///   - heldCount: frames of a stream that the caller holds; their buffers are pooled too.
  package init(_ recording: Recording, threadCount: Int, limit: Int, heldCount: Int = 0) throws(RetakeError) {
    source = .own(
      try Workers(threadCount: threadCount, placeCount: limit, name: "decoder") {
        () throws(RetakeError) in
        let reader = try FrameReader(recording, heldFrameLimit: limit + heldCount)
        return { row in Result { () throws(RetakeError) in try reader.frame(row) } }
      })
  }

  /// Takes frames from those shared with other prefetchers.
  package init(_ frames: DecodedFrames, limit: Int) { source = .shared(frames, limit: limit) }

  deinit {
    switch source {
    case .own(let workers): workers.end()
    case .shared(let frames, _): for row in rows { frames.letGo(row) }
    }
  }

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

  /// Waits for the earliest requested frame that has not been taken.
  /// - Precondition: a frame was requested.
  package func next() -> Result<Frame, RetakeError> {
    switch source {
    case .own(let workers):
      guard let result = workers.takeOldest(waits: true) else { preconditionFailure("no frame was requested") }
      return result
    case .shared(let frames, _):
      precondition(!rows.isEmpty, "no frame was requested")
      return frames.take(rows.removeFirst())
    }
  }
}
