import ArgumentParser
import FrameModel
import Glibc
import Replay
import Support

struct PlayFlags: ParsableArguments {
  @OptionGroup var pace: EveryFlag
  @Flag(help: "Play backwards: the last frame set first.") var reverse = false
  @Option(help: "The number of times to play it; each pass starts from a fresh state.") var passes: Int?
  @Flag(help: "Repeat endlessly, until Ctrl-C or q; for outputs to a V4L2 device, a pipe or none.") var loop = false

  @Option(
    help: ArgumentHelp(
      "Playback speed, 0.1 to 10 times that of the recording. By default as fast as possible; for a V4L2 device 1.",
      valueName: "rate"), transform: SpeedArgument.init)
  var speed: SpeedArgument?
  @Flag(help: "Start paused at the first picture; keys resume or step.") var paused = false

  private static let largestPassCount = 1_000_000

  func validate() throws {
    if let passes, !(1...Self.largestPassCount).contains(passes) {
      throw ValidationError("--passes takes 1 to \(Self.largestPassCount).")
    }
    if loop && passes != nil { throw ValidationError("Use either --loop or --passes, not both.") }
  }

  func order(_ frames: Range<Int>) -> PlayOrder {
    var order = PlayOrder(frames: frames)
    order.every = pace.every ?? 1
    order.isReversed = reverse
    order.passCount = loop ? nil : passes ?? 1
    return order
  }

  /// The rate of played pictures, so that a video of every n-th one keeps its timing.
  func rate(_ rate: FrameRate) -> FrameRate {
    guard let every = pace.every, every > 1 else { return rate }
    // Falls back to the original rate if the slower one cannot be represented.
    return (try? FrameRate(rate.numerator, rate.denominator * every)) ?? rate
  }

  /// Nil for as fast as possible. Readers of a V4L2 device expect a camera's frame rate.
  func speed(_ targets: [OutputTarget]) -> PlaySpeed? {
    speed?.speed ?? (targets.contains { $0.kind == .v4l2 } ? .realTime : nil)
  }

  /// - Throws: `.usage` for --paused without keys, and for --loop with an output that must end.
  func check(_ targets: [OutputTarget], hasKeys: Bool) throws(RetakeError) {
    guard !paused || hasKeys else {
      throw RetakeError(
        .usage, "--paused needs a terminal, whose keys resume the replay.",
        hint: "run it in a terminal, without --quiet and with nothing piped into it")
    }
    guard loop, let endless = targets.first(where: { !$0.takesEndless }) else { return }
    throw RetakeError(
      .usage, "--loop never ends, so \(endless.text) would never be complete.",
      hint: "--passes 3 plays it three times; --loop is for v4l2:, for pipes and for none")
  }
}

struct SpeedArgument {
  let speed: PlaySpeed

  init(_ text: String) throws {
    guard let factor = Double(text), let speed = PlaySpeed(factor) else {
      throw ValidationError("--speed takes 0.1 to 10, such as 0.5 or 2.")
    }
    self.speed = speed
  }
}

extension OutputTarget {
  var takesEndless: Bool {
    switch kind {
    case .v4l2, .none: true
    case .y4m: isStandardOutput ? !Self.isFile(STDOUT_FILENO) : isPipe
    case .png, .sheet, .mp4, .digests: false
    }
  }

  private static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
