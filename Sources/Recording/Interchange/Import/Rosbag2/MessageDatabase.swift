import GRDBSQLite
import Support

/// The messages of a rosbag2 database (`.db3`), ordered by their times. Of a damaged one, in the order of their
/// numbers, skipping what cannot be read.
final class MessageDatabase: MessageContainer {
  private let database: SQLiteReader
  /// Numbers, topics and times, without data.
  private var rows: SQLiteStatement
  private let data: SQLiteStatement
  private let following: SQLiteStatement
  private var isByTime = true
  private var lastNumber: Int64 = .min
  /// How often reading continued after damage.
  private var searchCount = 0
  private(set) var channels: [Int: MessageChannel] = [:]
  /// The channel with the metadata of each channel with pictures of RealSense's SDK.
  private let metadataChannels: [Int: Int]
  /// All rows so far, also those whose data cannot be read.
  private(set) var statedCounts: [Int: Int] = [:]
  private(set) var damage: (first: RetakeError, moreCount: Int)?
  private var doneCount = 0
  private let rowCount: Int
  private static let topicLimit = 65_536

  init(path: String) throws(RetakeError) {
    database = try SQLiteReader(path: path)
    for table in ["topics", "messages"] {
      guard try database.hasTable(table) else {
        throw RetakeError(
          .unsupported, "\(path) is an SQLite database, but not a ROS 2 bag: it has no table '\(table)'.",
          hint: "give the .db3 file of a bag")
      }
    }
    let topics = try database.statement("SELECT id, name, type, serialization_format FROM topics NOT INDEXED")
    while try topics.step(), channels.count < Self.topicLimit {
      guard let id = UInt32(exactly: topics.integer(0)) else { continue }
      channels[Int(id)] = MessageChannel(
        topic: topics.text(1), schema: topics.text(2), messageEncoding: topics.text(3))
    }
    let numbers = Dictionary(channels.map { ($0.value.topic, $0.key) }, uniquingKeysWith: min)
    metadataChannels = channels.compactMapValues { channel in
      RealSenseMetadata.topic(ofPictures: channel.topic).flatMap { numbers[$0] }
    }
    rows = try database.statement(Self.byTime)
    data = try database.statement("SELECT data FROM messages WHERE id = ?")
    following = try database.statement(Self.afterNumber)
    let count = try database.statement("SELECT (SELECT max(id) FROM messages) - (SELECT min(id) FROM messages) + 1")
    rowCount = (try? count.step()) == true ? Int(count.integer(0)) : 0
  }

  // Without an index of a stranger's, and without data, which would be sorted too.
  private static let byTime = "SELECT id, topic_id, timestamp FROM messages NOT INDEXED ORDER BY timestamp, id"
  private static let byNumber = "SELECT id, topic_id, timestamp FROM messages NOT INDEXED WHERE id > ? ORDER BY id"
  /// RealSense's SDK writes a picture's metadata right after it.
  private static let afterNumber =
    "SELECT topic_id, timestamp, data FROM messages WHERE id BETWEEN ?1 + 1 AND ?1 + 4 ORDER BY id"
  private static let searchLimit = 10_000
  /// How far apart readable rows are looked for.
  private static let largestGap: Int64 = 1 << 32

  var byteCount: Int { database.byteCount }
  var position: Int { Int(Double(byteCount) * min(1, Double(doneCount) / Double(max(1, rowCount)))) }

  func next() throws(RetakeError) -> ContainedMessage? {
    while try nextRow() {
      let (number, channel) = (rows.integer(0), Int(rows.integer(1)))
      // A damaged database may give numbers out of order. Going back would repeat rows without end.
      lastNumber = max(lastNumber, number)
      doneCount += 1
      guard channels[channel] != nil else { continue }
      statedCounts[channel, default: 0] += 1
      do throws(RetakeError) {
        data.reset()
        data.bind(number)
        guard try data.step(), let bytes = data.blob(0) else {
          throw RetakeError(.corrupt, "Message \(number) has no data.")
        }
        return ContainedMessage(
          channel: channel, logTime: UInt64(max(0, rows.integer(2))), data: bytes, isSuspect: false,
          metadata: metadata(ofPicture: number, channel))
      } catch {
        try note(error)
      }
    }
    return nil
  }

  private func metadata(ofPicture number: Int64, _ channel: Int) -> UnsafeRawBufferPointer? {
    guard let wanted = metadataChannels[channel] else { return nil }
    following.reset()
    following.bind(number)
    // Damage is noted when the row itself is read.
    while (try? following.step()) == true {
      if following.integer(0) == Int64(wanted), following.integer(1) == rows.integer(2), let bytes = following.blob(2) {
        return bytes
      }
    }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }

  private func note(_ error: RetakeError) throws(RetakeError) {
    guard error.code == .corrupt || error.code == .unsupported else { throw error }
    damage = damage.map { ($0.first, $0.moreCount + 1) } ?? (error, 0)
  }

  private func nextRow() throws(RetakeError) -> Bool {
    do throws(RetakeError) {
      return try rows.step()
    } catch {
      try note(error)
    }
    if isByTime {
      isByTime = false
      // Sorting reads everything first, so nothing was delivered yet.
      rows = try database.statement(Self.byNumber)
    }
    searchCount += 1
    guard searchCount <= Self.searchLimit else { return false }
    // Numbers ascend without gaps as they are written, so the next readable row is close.
    var gap: Int64 = 0
    while gap < Self.largestGap {
      rows.reset()
      rows.bind(lastNumber == .min ? gap : lastNumber &+ gap)
      do throws(RetakeError) {
        guard try rows.step() else { return false }
        return true
      } catch {
        guard error.code == .corrupt else { throw error }
        gap = gap < 256 ? gap + 1 : gap * 2
      }
    }
    return false
  }
}
