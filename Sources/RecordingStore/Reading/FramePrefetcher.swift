import FrameModel

/// Reads and decodes frames ahead of whoever wants them, on several threads, and gives them back in the order in which they
/// were asked for. Serves one thread.
package final class FramePrefetcher {
  private let workers: OrderedWorkers<FrameRow, Result<Frame, RetakeError>>

  /// - Parameters:
  ///   - threadCount: changes how fast frames come and nothing else.
  ///   - limit: frames that may be under way at once; together they are what it holds in memory.
  ///   - heldCount: frames of a stream that the taker holds on to; they have buffers that are used again too.
  package init(_ recording: Recording, threadCount: Int, limit: Int, heldCount: Int = 0) throws(RetakeError) {
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: limit, name: "decoder") {
      () throws(RetakeError) in
      let reader = try FrameReader(recording, heldFrameLimit: limit + heldCount)
      return { row in
        do throws(RetakeError) {
          return .success(try reader.frame(row))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  deinit { workers.end() }

  /// Frames that can be requested before one is taken.
  package var room: Int { workers.room }

  /// - Precondition: there is room.
  package func request(_ row: FrameRow) { workers.submit(row) }

  /// The frame that was requested first of those that were not taken yet.
  /// - Throws: what reading it throws.
  /// - Precondition: one was requested.
  package func next() throws(RetakeError) -> Frame {
    guard let result = workers.takeOldest(waits: true) else { preconditionFailure("no frame was requested") }
    return try result.get()
  }
}
