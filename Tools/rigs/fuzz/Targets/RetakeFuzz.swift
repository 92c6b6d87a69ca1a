import CFuzzer
import Glibc

/// The program behind Tools/develop/fuzz.
///
///     retake-fuzz --list                  names of targets, one per line, the canary first
///     retake-fuzz --make-corpus FOLDER    a folder of seeds for each target
///     retake-fuzz TARGET ARGUMENTS        libFuzzer with its own arguments
@main
enum RetakeFuzz {
  /// Global, because libFuzzer's C callback has no context. Unsafe, but set once before fuzzing.
  nonisolated(unsafe) private static var target: (any FuzzTarget)?

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--list": for target in FuzzTargets.all { print(target.name) }
    case "--make-corpus" where arguments.count == 2:
      for target in FuzzTargets.all { try SeedCorpus.write(try target.make().seeds(), to: arguments[1], target.name) }
    default:
      guard let name = targetName(arguments), let found = FuzzTargets.all.first(where: { $0.name == name }) else {
        let names = FuzzTargets.all.map(\.name).joined(separator: ", ")
        let sentence = Array("retake-fuzz: name a target: \(names)\n".utf8)
        _ = sentence.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(64)
      }
      target = try found.make()
      exit(run(name, arguments))
    }
  }

  private static let behindOwnArguments = "-ignore_remaining_args=1"

  private static func targetName(_ arguments: [String]) -> String? {
    arguments.firstIndex(of: behindOwnArguments).map { arguments[($0 + 1)...].first ?? "" } ?? arguments.first
  }

  /// Moves the target's name behind libFuzzer's arguments, where libFuzzer ignores it. To minimize
  /// an input, libFuzzer restarts this program with the same arguments.
  private static func run(_ name: String, _ arguments: [String]) -> Int32 {
    var words = [CommandLine.arguments[0]] + arguments
    if !arguments.contains(behindOwnArguments) {
      words.remove(at: 1)
      words += [behindOwnArguments, name]
    }
    // Never freed: the process's arguments must stay valid.
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { pointers[index] = strdup(word) }
    pointers[words.count] = nil
    var count = Int32(words.count)
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = pointers
    return LLVMFuzzerRunDriver(&count, &values) { @Sendable bytes, count in
      RetakeFuzz.target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
  }
}
