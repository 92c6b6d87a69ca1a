import Support

/// The files of one recording, read one after the other.
final class MessageFiles: MessageContainer {
  private let source: MessageSource
  private var open: (any MessageContainer)?
  private var index = 0
  private var doneByteCount = 0
  private(set) var remarks: [String] = []
  private(set) var notes = ExportedNotes()
  private var found: (first: RetakeError, moreCount: Int)?
  /// Of the files that were read to their end.
  private var closedChannels: [Int: MessageChannel] = [:]
  private var closedCounts: [Int: Int] = [:]
  private let totalByteCount: Int
  /// Channel numbers of one file stay below this.
  private static let channelLimit = 1 << 32

  init(_ source: MessageSource) throws(RetakeError) {
    self.source = source
    totalByteCount = source.byteCount
    for error in source.damage { note(error, 0) }
    // A single file that cannot be opened is an error; of several, the others are read.
    if source.files.count == 1 { open = try source.files[0].open() }
  }

  var byteCount: Int { max(totalByteCount, position) }
  var position: Int { doneByteCount + (open?.position ?? 0) }

  // Each file's channels have numbers of their own.
  func channel(_ id: Int) -> MessageChannel? {
    guard let open, id / Self.channelLimit == index else { return closedChannels[id] }
    return open.channel(id % Self.channelLimit)
  }

  var channels: [Int: MessageChannel] { all(closedChannels, open?.channels) }
  var statedCounts: [Int: Int] { all(closedCounts, open?.statedCounts) }

  private func all<Value>(_ closed: [Int: Value], _ now: [Int: Value]?) -> [Int: Value] {
    var all = closed
    for (id, value) in now ?? [:] { all[index * Self.channelLimit + id] = value }
    return all
  }

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
        if var message = try open.next() {
          message.channel += index * Self.channelLimit
          return message
        }
        if let damage = open.damage { note(damage.first, damage.moreCount) }
        (closedChannels, closedCounts) = (channels, statedCounts)
        doneByteCount += open.byteCount
        remarks += open.remarks
        // An export is one file.
        if source.files.count == 1 { notes = open.notes }
      }
      open = nil
      index += 1
    }
    return nil
  }

  private func note(_ error: RetakeError, _ moreCount: Int) {
    found = found.map { ($0.first, $0.moreCount + moreCount + 1) } ?? (error, moreCount)
  }
}
