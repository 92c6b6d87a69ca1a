import ArgumentParser
import FrameModel
import Glibc
import MattePipeline
import Support

@main
struct Retake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retake",
    abstract: "Records RGB-D cameras and replays the recordings exactly.",
    discussion: """
      A first session:
        retake record --device 'simulated?pace=fast' --duration 5s -o first.retake
        retake info first.retake
        retake replay first.retake --set depth.rate=1/2 --output first.png
        retake studio first.retake

      Exit codes: 0 done, 1 failed or stopped, 3 done, but a camera failed, the disk was full or frames were lost on \
      the way, 64 wrong usage, 73 another process is at work on it, 75 a sweep ended before its end: run it again to continue.\(InstalledGuides.sentence)
      """,
    version: "\(RetakeVersion.current) (commit \(BuildCommit.text), pipeline revision \(PipelineRevision.current))",
    subcommands: [
      DevicesCommand.self, RecordCommand.self, InfoCommand.self, VerifyCommand.self, RecoverCommand.self,
      MarkCommand.self, TagCommand.self, ListCommand.self, FindCommand.self, FacesCommand.self, CalibrateCommand.self,
      TrimCommand.self, JoinCommand.self, PackCommand.self, UnpackCommand.self, ReplayCommand.self, SweepCommand.self,
      CompareCommand.self, BundleCommand.self, ReproduceCommand.self, PlateCommand.self,
      StudioCommand.self, LiveCommand.self, ExportCommand.self, ImportCommand.self,
      ParametersCommand.self, DoctorCommand.self,
    ])

  static func main() {
    RetakeVersion.commit = BuildCommit.text
    // Opens closed standard descriptors, so that no other file takes their place.
    while true {
      let descriptor = open("/dev/null", O_RDWR)
      if descriptor > STDERR_FILENO { close(descriptor) }
      if descriptor < 0 || descriptor > STDERR_FILENO { break }
    }
    // A closed pipe is an error to report, not a signal to die of.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that exceeds the user's size limit.
    signal(SIGXFSZ, SIG_IGN)
    // Swift would write a crash's report for half a minute, and record nothing meanwhile. A shell may have it ignored.
    if unsafeBitCast(signal(SIGQUIT, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGQUIT, SIG_IGN)
    }
    StandardOutput.checkAtExit()
    // Swift reads the arguments there, and would find none.
    guard access("/proc/self/cmdline", R_OK) == 0 else {
      Terminal.report(
        RetakeError(.inputOutput, "/proc is not mounted.", hint: "run 'mount -t proc proc /proc' in this root"))
      Glibc.exit(ExitStatus.failed.rawValue)
    }
    let arguments = SweepCommand.withOnePage(Array(CommandLine.arguments.dropFirst()))
    do {
      if let script = CompletionScript.wanted(by: arguments) { return try StandardOutput.writeFile(script + "\n") }
      if let unknown = WrongWords.unknownVerb(arguments, of: Retake.self) { throw unknown }
      let wrong =
        WrongWords.dashedPath(arguments) ?? WrongWords.dashedOutput(arguments)
        ?? WrongWords.dividedAssignment(arguments) ?? WrongWords.dividedList(arguments)
      if let wrong { throw wrong }
      var command = try parsed(arguments)
      try command.run()
    } catch let error as RetakeError {
      // Like other programs before 'head', silently.
      if error.code != .readerGone { Terminal.report(error) }
      Glibc.exit(ExitStatus.of(error).rawValue)
    } catch {
      let (code, message) = (exitCode(for: error), fullMessage(for: error))
      // Help and versions are Retake's own text. An error may repeat names of a stranger's files.
      guard !code.isSuccess && !message.isEmpty else { exit(withError: HelpPage.withWholeExamples(error)) }
      Terminal.report(WrongWords.found(in: arguments) ?? UsageMessage.error(message, arguments))
      Glibc.exit(code.rawValue)
    }
  }
}

extension Retake {
  /// Parses; where ArgumentParser refuses a number, by the check of its option, which says the range.
  fileprivate static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do {
      return try parseAsRoot(PairedArguments.joined(arguments))
    } catch {
      guard let other = NumberWord.checkable(arguments, fullMessage(for: error)) else { throw error }
      let command = try parsed(other.arguments)
      // Nothing runs with another number than was typed.
      guard other.isSame else { throw error }
      return command
    }
  }
}

enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  /// The work is done, but a camera failed, or frames are missing from what was written.
  case doneWithLoss = 3
  case wrongUsage = 64
  /// Another process is at work on the same results or output. Like the next, a code of sysexits.h: EX_CANTCREAT.
  case busy = 73
  /// Ended before its end; the same command continues. EX_TEMPFAIL.
  case unfinished = 75

  static func of(_ error: RetakeError) -> ExitStatus {
    switch error.code {
    case .usage: .wrongUsage
    case .busy, .beingWritten: .busy
    default: .failed
    }
  }
}
