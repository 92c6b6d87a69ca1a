/// Addresses by which SQLite opens files.
package enum SQLiteAddress {
  /// A URI for reading a file that does not change, without locks and without files beside it.
  package static func immutable(_ path: String) -> String {
    let escaped = path.utf8.map { byte -> String in
      let isPlain = byte > 0x20 && byte < 0x7F && !"?#%".utf8.contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    // `file://` and an absolute path give a URI with an empty host.
    return (path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
  }
}
