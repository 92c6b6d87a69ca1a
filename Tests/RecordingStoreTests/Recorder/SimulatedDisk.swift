import Foundation
import FrameModel
import RecordingStore
import Support

/// A disk in memory that keeps apart what a process sees and what would be there after a power cut, and that goes wrong at
/// a given operation, the same way for the same seed.
///
/// A file's writes since its last flush may be lost, torn or reordered; names made, changed and removed since the folder's
/// last flush may be lost from some point on, as with a journal.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `lock`.
  enum Fault {
    /// The machine stops, in the middle of the operation.
    case crash
    /// No room from here on.
    case full
    /// This operation fails, and later ones work again. A flush that fails has lost some of what was to be flushed.
    case inputOutputError
  }

  private final class Inode {
    enum Change {
      case write(offset: Int, bytes: [UInt8])
      case truncate(Int)
    }
    var contents: [UInt8] = []
    var durable: [UInt8] = []
    var pending: [Change] = []
  }
  private enum NameChange {
    case create(String, Inode)
    case rename(String, String)
    case remove(String)
  }

  private let lock = NSRecursiveLock()
  private let seed: UInt64
  private let faultOperation: Int?
  private let fault: Fault
  private let writesShort: Bool
  private let onCrash: () -> Void
  private var names: [String: Inode] = [:]
  private var durableNames: [String: Inode] = [:]
  private var pendingNames: [NameChange] = []
  private(set) var operationCount = 0
  private(set) var isCrashed = false
  /// An operation was refused.
  private(set) var hasFailed = false
  /// Files that were renamed and whose folder was flushed afterwards.
  private(set) var publishedCount = 0
  private var renamedCount = 0
  /// The folder whose flush was refused.
  private(set) var refusedFolder: String?
  /// Flushes of files and folders.
  private(set) var flushCount = 0
  private let byteCount: Int

  /// - Parameters:
  ///   - faultOperation: which operation goes wrong, from 0; nil: none.
  ///   - writesShort: whether writes take only some of the bytes.
  ///   - byteCount: the disk's size.
  ///   - onCrash: called at the moment of the crash.
  init(
    seed: UInt64, faultOperation: Int? = nil, fault: Fault = .crash, writesShort: Bool = false,
    byteCount: Int = 1 << 40, onCrash: @escaping () -> Void = {}
  ) {
    self.seed = seed
    self.faultOperation = faultOperation
    self.fault = fault
    self.writesShort = writesShort
    self.byteCount = byteCount
    self.onCrash = onCrash
  }

  private func chance(_ a: Int, _ b: Int = 0) -> UInt64 {
    SeededGenerator.hash(seed, UInt64(bitPattern: Int64(a)), UInt64(bitPattern: Int64(b)))
  }

  private static let powerless = RetakeError(.inputOutput, "The simulated disk has no power.")

  /// Counts an operation and lets the planned fault happen.
  /// - Parameters:
  ///   - half: what of the operation a crash in the middle of it leaves.
  ///   - takesRoom: whether it fails on a full disk.
  private func begin(takesRoom: Bool = false, _ half: () -> Void = {}) throws(RetakeError) {
    guard !isCrashed else { throw Self.powerless }
    let number = operationCount
    operationCount += 1
    guard let faultOperation else { return }
    switch fault {
    case .crash where number == faultOperation:
      half()
      isCrashed = true
      onCrash()
      throw Self.powerless
    case .full where takesRoom && number >= faultOperation:
      hasFailed = true
      throw FileBytes.failure("write", "simulated", errno: ENOSPC)
    case .inputOutputError where number == faultOperation:
      hasFailed = true
      throw FileBytes.failure("use", "simulated", errno: EIO)
    default: return
    }
  }

  // MARK: FileSystem

  func create(_ path: String) throws(RetakeError) -> any WritableFile {
    lock.lock()
    defer { lock.unlock() }
    try begin(takesRoom: true)
    guard names[path] == nil else { throw FileBytes.failure("create", path, errno: EEXIST) }
    let inode = Inode()
    names[path] = inode
    pendingNames.append(.create(path, inode))
    return File(self, inode)
  }

  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    lock.lock()
    defer { lock.unlock() }
    try begin()
    guard replacing || names[newPath] == nil else { throw FileBytes.failure("create", newPath, errno: EEXIST) }
    guard let inode = names.removeValue(forKey: path) else { throw FileBytes.failure("rename", path, errno: ENOENT) }
    names[newPath] = inode
    pendingNames.append(.rename(path, newPath))
    renamedCount += 1
  }

  func remove(_ path: String) throws(RetakeError) {
    lock.lock()
    defer { lock.unlock() }
    try begin()
    guard names.removeValue(forKey: path) != nil else { return }
    pendingNames.append(.remove(path))
  }

  func synchronizeFolder(_ path: String) throws(RetakeError) {
    lock.lock()
    defer { lock.unlock() }
    flushCount += 1
    do throws(RetakeError) {
      try begin()
    } catch {
      refusedFolder = path
      throw error
    }
    durableNames = names
    pendingNames = []
    publishedCount = renamedCount
  }

  func space(of path: String) -> (free: Int, total: Int)? {
    lock.lock()
    defer { lock.unlock() }
    return (byteCount - names.values.reduce(0) { $0 + $1.contents.count }, byteCount)
  }

  func names(in path: String) throws(RetakeError) -> [String] {
    lock.lock()
    defer { lock.unlock() }
    guard !isCrashed else { throw Self.powerless }
    return names.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
  }

  private final class File: WritableFile {
    private let disk: SimulatedDisk
    private let inode: Inode

    init(_ disk: SimulatedDisk, _ inode: Inode) {
      self.disk = disk
      self.inode = inode
    }

    private func append(_ bytes: [UInt8]) {
      inode.pending.append(.write(offset: inode.contents.count, bytes: bytes))
      inode.contents += bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int {
      disk.lock.lock()
      defer { disk.lock.unlock() }
      let part = Int(disk.chance(disk.operationCount) % UInt64(bytes.count)) + 1
      try disk.begin(takesRoom: true) { append(Array(bytes[..<(part - 1)])) }
      let count = min(disk.writesShort ? part : bytes.count, disk.space(of: "")!.free)
      guard count > 0 else { throw FileBytes.failure("write", "simulated", errno: ENOSPC) }
      append(Array(bytes[..<count]))
      return count
    }

    func truncate(to byteCount: Int) throws(RetakeError) {
      disk.lock.lock()
      defer { disk.lock.unlock() }
      try disk.begin()
      inode.contents.removeLast(inode.contents.count - byteCount)
      inode.pending.append(.truncate(byteCount))
    }

    func synchronize() throws(RetakeError) {
      disk.lock.lock()
      defer { disk.lock.unlock() }
      disk.flushCount += 1
      do throws(RetakeError) {
        try disk.begin()
      } catch {
        // What a failed flush leaves of the pages is anybody's guess, and a later one does not try them again.
        if !disk.isCrashed {
          inode.durable = disk.afterPowerCut(inode, salt: disk.operationCount)
          inode.pending = []
        }
        throw error
      }
      inode.durable = inode.contents
      inode.pending = []
    }
  }

  // MARK: What is left

  /// Every file as it is after the process has died and the machine has not, or after a power cut.
  func files(afterPowerCut isPowerCut: Bool) -> [String: [UInt8]] {
    lock.lock()
    defer { lock.unlock() }
    guard isPowerCut else { return names.mapValues(\.contents) }
    var left = durableNames
    for change in pendingNames.prefix(Int(chance(-1) % UInt64(pendingNames.count + 1))) {
      switch change {
      case .create(let path, let inode): left[path] = inode
      case .rename(let path, let newPath): left[newPath] = left.removeValue(forKey: path)
      case .remove(let path): left[path] = nil
      }
    }
    var result: [String: [UInt8]] = [:]
    for (position, path) in left.keys.sorted().enumerated() {
      result[path] = afterPowerCut(left[path]!, salt: -100 - position)
    }
    return result
  }

  private func afterPowerCut(_ inode: Inode, salt: Int) -> [UInt8] {
    var bytes = inode.durable
    for (position, change) in inode.pending.enumerated() {
      let chance = chance(salt, position)
      // One in four is lost whole, and one in four of the others is torn at a sector.
      guard chance % 4 != 0 else { continue }
      switch change {
      case .write(let offset, let written):
        var kept = written.count
        if chance >> 8 & 3 == 0 { kept = Int(chance >> 16) % (written.count + 1) & ~511 }
        // Where the file grew and the data did not come, there are zeros.
        if bytes.count < offset + kept { bytes += [UInt8](repeating: 0, count: offset + kept - bytes.count) }
        bytes.replaceSubrange(offset..<offset + kept, with: written[..<kept])
      case .truncate(let count): if bytes.count > count { bytes.removeLast(bytes.count - count) }
      }
    }
    return bytes
  }
}
