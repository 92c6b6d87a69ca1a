import Replay
import Support

/// Plans and batches of the latest passes of a search. Most passes of a rung have the same settings, so a batch goes on with
/// other frames instead of being made again. Together they stay within the memory of one batch.
final class SearchBatches {
  struct Key: Hashable {
    var settings: [Int]
    var recording: Int
    var frameCount: Int
  }

  private struct Entry {
    let key: Key
    let plan: BatchPlan
    var batch: SweepBatch?
  }

  /// The latest is the last.
  private var entries: [Entry] = []
  let byteLimit: Int
  /// Settings that need different frames before a unit take turns, and so do recordings.
  private static let countLimit = 16

  /// Batches that were made, and not kept from an earlier pass.
  private(set) var madeCount = 0

  /// - Parameter byteLimit: of all batches.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The plan of a pass, for which there is memory then.
  func plan(_ key: Key, _ make: () throws(RetakeError) -> BatchPlan) throws(RetakeError) -> BatchPlan {
    if let place = entries.firstIndex(where: { $0.key == key }) {
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.plan
    }
    let plan = try make()
    while !entries.isEmpty,
      entries.count >= Self.countLimit || entries.reduce(plan.byteCount, { $0 + $1.plan.byteCount }) > byteLimit
    {
      entries.removeFirst()
    }
    entries.append(Entry(key: key, plan: plan))
    return plan
  }

  /// A batch that begins with the order's first frame.
  func batch(
    _ key: Key, _ order: PlayOrder, _ make: () throws(RetakeError) -> SweepBatch
  ) throws(RetakeError) -> SweepBatch {
    if let place = entries.firstIndex(where: { $0.key == key }), let kept = entries[place].batch {
      entries[place].batch = nil
      // A new batch meets the error too, and knows what it means for each setting.
      if (try? kept.restart(order)) != nil { return kept }
    }
    madeCount += 1
    return try make()
  }

  /// Settings of the next rung are others.
  func removeAll() { entries = [] }

  /// Keeps a batch that was played to its end.
  func keep(_ batch: SweepBatch, _ key: Key) {
    guard batch.canRestart, let place = entries.firstIndex(where: { $0.key == key }),
      entries[place].plan.batches.count == 1
    else { return }
    entries[place].batch = batch
  }
}
