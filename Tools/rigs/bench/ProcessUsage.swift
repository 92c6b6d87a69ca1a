import Glibc

/// Memory use of this process, from /proc/self/status.
enum ProcessUsage {
  static var residentByteCount: Int { status("VmRSS:") }
  static var peakResidentByteCount: Int { status("VmHWM:") }

  private static func status(_ key: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(key), let kibibytes = text.split(whereSeparator: { " \t\n".contains($0) }).dropFirst().first
      else { continue }
      return (Int(kibibytes) ?? 0) * 1024
    }
    return 0
  }
}
