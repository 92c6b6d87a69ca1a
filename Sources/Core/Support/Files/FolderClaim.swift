import Glibc

/// A folder that this program fills. It is locked, which shows other programs that it is being written.
package final class FolderClaim {
  package let path: String
  /// Whether it was made for this claim.
  package let isNew: Bool
  private let descriptor: Int32

  /// Makes the folder and its missing parents; an existing one is accepted.
  /// - Throws: if another program has claimed it.
  package init(path: String) throws(RetakeError) {
    self.path = Folder.withoutTrailingSlash(path)
    isNew = access(path, F_OK) != 0
    try Folder.make(self.path)
    // What is no folder is named as what it is.
    _ = try Folder.names(in: self.path)
    descriptor = try FileBytes.open("write", self.path, O_RDONLY | O_DIRECTORY)
    // A file system may have no locks.
    if SystemCall.lock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw FileReplacement.writtenTwice(path, "folder")
    }
    // Another program may have had it until now, and renamed or removed it.
    guard Folder.isSame(self.path, asOpen: descriptor) else { throw FileReplacement.writtenTwice(path, "folder") }
  }

  deinit { close(descriptor) }

  /// Removes the folder if it was made for this claim and is empty.
  package func removeIfEmpty() { if isNew { rmdir(path) } }
}
