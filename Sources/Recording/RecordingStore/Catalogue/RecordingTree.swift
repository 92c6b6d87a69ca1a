import Glibc
import Kernels
import Support

/// Finds the recordings in a folder and its subfolders without opening any of them.
package enum RecordingTree {
  package struct Found: Hashable, Sendable {
    package var path: String
    /// Changes whenever files of the recording change. 0 if it cannot be trusted, because a change may
    /// have happened within the resolution of file times.
    package var stamp: Int64
  }

  /// Folders within folders.
  private static let depthLimit = 8
  private static let countLimit = 1_000_000
  /// File systems store times in steps of up to two seconds.
  private static let resolutionNanoseconds: Int64 = 2_000_000_000

  /// Recordings in the order of their paths. Symbolic links are followed to recordings, but not into other
  /// folders; names that begin with a dot are skipped.
  /// - Parameters:
  ///   - folder: may be a recording itself.
  ///   - limit: the search ends after this many.
  /// - Throws: when the folder cannot be read. Subfolders that cannot be read are skipped.
  package static func recordings(in folder: String, limit: Int = countLimit) throws(RetakeError) -> [Found] {
    var walk = Walk(limit: limit)
    if let stamp = walk.stamp(of: folder, in: AT_FDCWD) { return [Found(path: folder, stamp: stamp)] }
    _ = try Folder.names(in: folder)
    walk.look(folder, depth: depthLimit)
    for index in walk.found.indices { walk.found[index].path.makeContiguousUTF8() }
    return walk.found.sorted { precedes($0.path, $1.path) }
  }

  /// The order of SQLite's texts, by bytes.
  static func precedes(_ a: String, _ b: String) -> Bool {
    let order = a.utf8.withContiguousStorageIfAvailable { a in
      b.utf8.withContiguousStorageIfAvailable { b in
        let order = memcmp(a.baseAddress!, b.baseAddress!, min(a.count, b.count))
        return order == 0 ? a.count < b.count : order < 0
      }
    }
    return (order ?? nil) ?? a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  private struct Walk {
    let limit: Int
    var found: [Found] = []
    private let now: Int64

    init(limit: Int) {
      self.limit = limit
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      now = Self.nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    mutating func look(_ path: String, depth: Int) {
      guard let directory = opendir(path) else { return }
      defer { closedir(directory) }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      var inner: [String] = []
      while found.count < limit, let entry = readdir(directory) {
        let type = Int32(entry.pointee.d_type)
        guard [Int32(DT_DIR), Int32(DT_LNK), Int32(DT_UNKNOWN)].contains(type) else { continue }
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = prefix + name
        if let stamp = stamp(of: name, in: dirfd(directory)) {
          found.append(Found(path: path, stamp: stamp))
        } else if name.hasSuffix(RecordingFolder.suffix) {
          found.append(Found(path: path, stamp: 0))
        } else if depth > 0, type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN) && Self.isFolder(path) {
          inner.append(path)
        }
      }
      for path in inner where found.count < limit { look(path, depth: depth - 1) }
    }

    private static func isFolder(_ path: String) -> Bool {
      var status = Glibc.stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Nil if the folder is no recording. Its path is relative to an open folder: the kernel then looks up
    /// two names instead of the whole path.
    func stamp(of path: String, in folder: Int32) -> Int64? {
      var status = Glibc.stat()
      guard fstatat(folder, path + "/chunks", &status, 0) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
      var facts: [Int64] = []
      facts.reserveCapacity(7)
      var latest: Int64 = 0
      func note(_ status: Glibc.stat) {
        let time = Self.nanoseconds(status.st_mtim)
        latest = max(latest, time)
        facts.append(Int64(bitPattern: UInt64(status.st_ino)))
        facts.append(time)
      }
      note(status)
      guard fstatat(folder, path, &status, 0) == 0 else { return 0 }
      note(status)
      if fstatat(folder, path + "/index.sqlite", &status, 0) == 0 {
        note(status)
        facts.append(Int64(status.st_size))
      }
      guard latest < now - resolutionNanoseconds else { return 0 }
      return facts.withUnsafeBytes { Int64(bitPattern: Checksum.xxh3($0)) }
    }
  }
}
