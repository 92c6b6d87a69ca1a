import CFreenect
import Glibc
import Synchronization

/// Reads libfreenect's log, the only place where it reports lost packets. Prints nothing: counts
/// losses until the device asks, and keeps the first error for messages.
package final class KinectLog: Sendable {
  package enum Camera: Int, CaseIterable, Sendable {
    case color, depth
  }

  package enum Meaning: Hashable, Sendable {
    case lostPackets(Camera, count: Int)
    /// The frame being received is discarded.
    case lostFrame(Camera)
    /// The next delivered frame has holes, filled with bytes of an earlier one.
    case damagedFrame(Camera)
  }

  private struct Tally {
    var lostPackets = 0
    var lostFrames = 0
    var isDamaged = false
  }

  private struct State {
    /// Indexed by `Camera`.
    var tallies = [Tally(), Tally()]
    var firstError: String?
  }

  private let state = Mutex(State())
  /// The logs by context, since the log callback receives only the context.
  private static let logs = Mutex<[UInt: KinectLog]>([:])

  init() {}

  /// Receives a context's messages until `detach`.
  func attach(to context: OpaquePointer) {
    let key = UInt(bitPattern: context)
    Self.logs.withLock { $0[key] = self }
    // SPEW reports each frame's packet count. Only the next level, FLOOD, reports every packet.
    freenect.freenect_set_log_level(context, FREENECT_LOG_SPEW)
    freenect.freenect_set_log_callback(context) { @Sendable context, level, text in
      guard let context, let text else { return }
      let meaning = KinectLog.meaning(of: text)
      let isError = level.rawValue <= FREENECT_LOG_ERROR.rawValue
      guard meaning != nil || isError else { return }
      let key = UInt(bitPattern: context)
      KinectLog.logs.withLock { $0[key] }?.note(meaning, error: isError ? String(cString: text) : nil)
    }
  }

  static func detach(from context: OpaquePointer) {
    freenect.freenect_set_log_callback(context, nil)
    freenect.freenect_set_log_level(context, FREENECT_LOG_FATAL)
    Self.logs.withLock { $0[UInt(bitPattern: context)] = nil }
  }

  /// Compares C strings, since most messages mean nothing and come while frames arrive.
  package static func meaning(of message: UnsafePointer<CChar>) -> Meaning? {
    if starts(message, with: "Got ") { return damage(inReport: message) }
    guard let camera = camera(message, color: "[Stream 80]", depth: "[Stream 70]") else { return nil }
    // 0.5.3 spells it "resyncing", "Resyncing" and "Resyncng".
    if strstr(message, "esync") != nil { return .lostFrame(camera) }
    if let count = lostPackets(inReport: message) { return .lostPackets(camera, count: count) }
    return strstr(message, "data bytes") == nil ? nil : .damagedFrame(camera)
  }

  /// "[Stream 70] Lost 3 packets". Packet numbers have 8 bits, so a loss of 256 goes unnoticed.
  private static func lostPackets(inReport message: UnsafePointer<CChar>) -> Int? {
    guard let words = strstr(message, "] Lost ") else { return nil }
    var end: UnsafeMutablePointer<CChar>?
    let count = strtol(words + 7, &end, 10)
    // "Lost 9 total packets in 3 frames" is a sum of these.
    guard let end, starts(end, with: " packets"), (1...255).contains(count) else { return nil }
    return count
  }

  /// "Got depth frame of size 422400/422400, 239/242 packets arrived, TS 0123abcd"
  private static func damage(inReport message: UnsafePointer<CChar>) -> Meaning? {
    guard let camera = camera(message, color: "Got video frame", depth: "Got depth frame"),
      let comma = strchr(message, Int32(UInt8(ascii: ",")))
    else { return nil }
    var end: UnsafeMutablePointer<CChar>?
    let arrived = strtol(comma + 1, &end, 10)
    guard let slash = end, slash.pointee == CChar(UInt8(ascii: "/")) else { return nil }
    return arrived < strtol(slash + 1, nil, 10) ? .damagedFrame(camera) : nil
  }

  /// The camera whose messages start so.
  private static func camera(
    _ message: UnsafePointer<CChar>, color: StaticString, depth: StaticString
  ) -> Camera? {
    if starts(message, with: color) { return .color }
    return starts(message, with: depth) ? .depth : nil
  }

  private static func starts(_ message: UnsafePointer<CChar>, with start: StaticString) -> Bool {
    strncmp(
      message, UnsafeRawPointer(start.utf8Start).assumingMemoryBound(to: CChar.self), start.utf8CodeUnitCount)
      == 0
  }

  private func note(_ meaning: Meaning?, error: String?) {
    state.withLock { state in
      switch meaning {
      case .lostFrame(let camera):
        state.tallies[camera.rawValue].lostFrames += 1
        state.tallies[camera.rawValue].isDamaged = false
      case .lostPackets(let camera, let count): state.tallies[camera.rawValue].lostPackets += count
      case .damagedFrame(let camera): state.tallies[camera.rawValue].isDamaged = true
      case nil: break
      }
      // Later errors are consequences of the first.
      if let error, state.firstError == nil {
        let line = error.prefix { !$0.isNewline }
        state.firstError = String(line.reversed().drop { $0 == "." || $0 == " " }.reversed())
      }
    }
  }

  func takeLosses(_ camera: Camera) -> (packets: Int, frames: Int) {
    state.withLock { state in
      let tally = state.tallies[camera.rawValue]
      state.tallies[camera.rawValue] = Tally(isDamaged: tally.isDamaged)
      return (tally.lostPackets, tally.lostFrames)
    }
  }

  /// Whether the frame just received has holes.
  func takeDamage(_ camera: Camera) -> Bool {
    state.withLock { state in
      defer { state.tallies[camera.rawValue].isDamaged = false }
      return state.tallies[camera.rawValue].isDamaged
    }
  }

  /// Called when errors so far did no harm.
  func forgetErrors() { state.withLock { $0.firstError = nil } }

  var firstError: String? { state.withLock { $0.firstError } }
  /// ": " and the library's message, or empty.
  var words: String { firstError.map { ": \($0)" } ?? "" }
}
