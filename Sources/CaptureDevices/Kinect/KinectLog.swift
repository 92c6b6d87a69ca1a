import CFreenect
import FrameModel
import Synchronization

/// What libfreenect says in its log: the only place where it tells of lost packets.
///
/// Nothing is printed. Lost frames and damage are counted until the device asks, and the last error is kept
/// for the message that a person gets to see.
package final class KinectLog: Sendable {
  package enum Camera: Int, CaseIterable, Sendable {
    case color, depth
  }

  /// What a message means for the frames.
  package enum Meaning: Hashable, Sendable {
    /// The frame that was arriving is given up.
    case lostFrame(Camera)
    /// The frame that is arriving will have holes, filled with bytes of an earlier one.
    case damagedFrame(Camera)
  }

  private struct State {
    var lostFrames = [0, 0]
    var damaged = [false, false]
    var lastError: String?
  }

  private let state = Mutex(State())
  /// The log callback gets nothing but the context, so this finds the log of a context.
  private static let logs = Mutex<[UInt: KinectLog]>([:])

  init() {}

  /// Listens to a context until `detach`.
  func attach(to context: OpaquePointer) {
    let key = UInt(bitPattern: context)
    Self.logs.withLock { $0[key] = self }
    // Lost packets are mentioned at this level, and what else is said there is little.
    freenect_set_log_level(context, FREENECT_LOG_INFO)
    freenect_set_log_callback(context) { @Sendable context, level, text in
      guard let context, let text else { return }
      let key = UInt(bitPattern: context)
      KinectLog.logs.withLock { $0[key] }?.note(String(cString: text), isError: level.rawValue <= 1)
    }
  }

  static func detach(from context: OpaquePointer) {
    freenect_set_log_callback(context, nil)
    freenect_set_log_level(context, FREENECT_LOG_FATAL)
    Self.logs.withLock { $0[UInt(bitPattern: context)] = nil }
  }

  package static func meaning(of message: String) -> Meaning? {
    let camera: Camera
    if message.hasPrefix("[Stream 80]") {
      camera = .color
    } else if message.hasPrefix("[Stream 70]") {
      camera = .depth
    } else {
      return nil
    }
    // 0.5.3 spells it "resyncing", "Resyncing" and "Resyncng".
    if message.contains("esync") { return .lostFrame(camera) }
    let isDamage =
      (message.contains("Lost") && message.contains("packets")) || message.contains("data bytes")
    return isDamage ? .damagedFrame(camera) : nil
  }

  private func note(_ message: String, isError: Bool) {
    let meaning = Self.meaning(of: message)
    state.withLock { state in
      switch meaning {
      case .lostFrame(let camera):
        state.lostFrames[camera.rawValue] += 1
        state.damaged[camera.rawValue] = false
      case .damagedFrame(let camera): state.damaged[camera.rawValue] = true
      case nil: break
      }
      if isError {
        state.lastError = String(message.prefix { !$0.isNewline })
      }
    }
  }

  /// Frames lost since the last call.
  func takeLostFrames(_ camera: Camera) -> Int {
    state.withLock { state in
      defer { state.lostFrames[camera.rawValue] = 0 }
      return state.lostFrames[camera.rawValue]
    }
  }

  /// Whether the frame that has just arrived has holes.
  func takeDamage(_ camera: Camera) -> Bool {
    state.withLock { state in
      defer { state.damaged[camera.rawValue] = false }
      return state.damaged[camera.rawValue]
    }
  }

  /// ": " and the library's own words, or nothing.
  var lastWords: String { state.withLock { $0.lastError }.map { ": \($0)" } ?? "" }
}
