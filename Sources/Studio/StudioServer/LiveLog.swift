import FrameModel
import LiveSessions
import RecordingStore
import Support
import Synchronization

/// What happened to running cameras, for their pages: messages, and recordings that ended.
package final class LiveLog: Sendable {
  package struct Made: Sendable {
    package let number: Int
    package let path: String
    let frameCount: Int
    let lostCount: Int
    let problem: String

    var json: JSONObject {
      JSONObject([
        "number": number, "path": path, "name": path.split(separator: "/").last.map(String.init) ?? path,
        "frames": frameCount, "lost": lostCount, "problem": problem,
      ])
    }
  }

  private static let messageLimit = 50
  private static let longestMessage = 1000

  /// As they are named on the command line.
  package let devices: [String]
  /// Gives a recording the number of its page.
  var number: (@Sendable (_ path: String) -> Int)? {
    get { numbering.withLock { $0 } }
    set { numbering.withLock { $0 = newValue } }
  }
  private let numbering = Mutex<(@Sendable (String) -> Int)?>(nil)
  private let messages = Mutex<(count: Int, latest: [(number: Int, text: String)])>((0, []))
  private let made = Mutex<[Made]>([])

  package init(devices: [String]) { self.devices = devices }

  package func note(_ text: String) {
    messages.withLock { messages in
      messages.count += 1
      messages.latest.append((messages.count, String(text.prefix(Self.longestMessage))))
      if messages.latest.count > Self.messageLimit { messages.latest.removeFirst() }
    }
  }

  /// A recording without frames is none.
  package func add(_ ended: CameraBench.Ended) {
    guard !ended.isEmpty, let number = number?(ended.path) else { return }
    let status = ended.status
    made.withLock {
      $0.append(
        Made(
          number: number, path: ended.path, frameCount: status.frameCounts.max() ?? 0,
          lostCount: status.droppedCount,
          problem: ended.failure?.description ?? ""))
    }
  }

  var recordings: [Made] { made.withLock { $0 } }

  var messagesJSON: [JSONObject] {
    messages.withLock { $0.latest.map { JSONObject(["number": $0.number, "text": $0.text]) } }
  }
}
