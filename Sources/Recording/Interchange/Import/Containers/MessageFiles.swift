import Support

/// The files of one recording, read one after the other.
final class MessageFiles: MessageContainer {
  private let source: MessageSource
  private var open: (any MessageContainer)?
  private var index = 0
  private var doneByteCount = 0
  private(set) var remarks: [String] = []
  private var found: (first: RetakeError, moreCount: Int)?
  private(set) var channels: [Int: MessageChannel] = [:]
  private(set) var statedCounts: [Int: Int] = [:]
  /// Channel numbers of one file stay below this.
  private static let channelLimit = 1 << 32

  init(_ source: MessageSource) throws(RetakeError) {
    self.source = source
    for error in source.damage { note(error, 0) }
    // A single file that cannot be opened is an error; of several, the others are read.
    if source.files.count == 1 { open = try source.files[0].open() }
    if let open { take(open) }
  }

  var byteCount: Int { max(source.byteCount, position) }
  var position: Int { doneByteCount + (open?.position ?? 0) }

  var damage: (first: RetakeError, moreCount: Int)? {
    guard let now = open?.damage else { return found }
    guard let found else { return now }
    return (found.first, found.moreCount + now.moreCount + 1)
  }

  func next() throws(RetakeError) -> ContainedMessage? {
    while index < source.files.count {
      if open == nil {
        do throws(RetakeError) {
          open = try source.files[index].open()
        } catch {
          guard error.code == .corrupt || error.code == .unsupported else { throw error }
          note(error, 0)
        }
      }
      if let open {
        let message = try open.next()
        take(open)
        if var message {
          message.channel += index * Self.channelLimit
          return message
        }
        if let damage = open.damage { note(damage.first, damage.moreCount) }
        doneByteCount += open.byteCount
        remarks += open.remarks
      }
      open = nil
      index += 1
    }
    return nil
  }

  /// Makes the file's channels known under numbers of their own.
  private func take(_ file: any MessageContainer) {
    let base = index * Self.channelLimit
    for (id, channel) in file.channels where channels[base + id] != channel { channels[base + id] = channel }
    for (id, count) in file.statedCounts where statedCounts[base + id] != count { statedCounts[base + id] = count }
  }

  private func note(_ error: RetakeError, _ moreCount: Int) {
    found = found.map { ($0.first, $0.moreCount + moreCount + 1) } ?? (error, moreCount)
  }
}
