import MattePipeline

extension DigestHeader {
  /// Differences in what two replays depend on. Differences that follow from others are left out.
  package func differences(to other: DigestHeader) -> [DigestDifference] {
    var found: [DigestDifference] = []
    func add(_ field: String, _ a: String?, _ b: String?) {
      guard a != b else { return }
      found.append(.header(field: field, a: a ?? DigestStage.none, b: b ?? DigestStage.none))
    }
    // Before anything else: with another revision other pixels are to be expected.
    add(
      "pipeline_revision", Self.text(pipelineRevision), Self.text(other.pipelineRevision))
    add("version", version, other.version)
    add("decoders", decodersText, other.decodersText)
    add("recording", recording, other.recording)
    add("alignment", alignment, other.alignment)
    add("preset", preset, other.preset)
    var names = Set<String>()
    for (name, a, b) in Self.joined(parameters, other.parameters) where a != b {
      names.insert(name)
      add(name, a, b)
    }
    for (name, a, b) in Self.joined(changes.map(Self.entry), other.changes.map(Self.entry)) { add(name, a, b) }
    // The schedule follows from its parameters, unless versions derive it differently.
    if !names.contains("depth.rate") { add("depth_rate", depthRate, other.depthRate) }
    if names.isDisjoint(with: ["depth.rate", "depth.phase"]) {
      add("depth_phase", "\(depthPhase)", "\(other.depthPhase)")
    }
    if firstFrame != other.firstFrame + numberOffset(of: other) {
      add("first_frame", "\(firstFrame)", "\(other.firstFrame)")
    }
    add("frame_count", frameCount.map { "\($0)" }, other.frameCount.map { "\($0)" })
    add("first_number", "\(firstNumber)", "\(other.firstNumber)")
    add("order", orderText, other.orderText)
    add("background", background, other.background)
    add("plate", plate, other.plate)
    add("network", network, other.network)
    add("masks", masks, other.masks)
    if found.isEmpty { add("parameter_digest", parameterDigest, other.parameterDigest) }
    return found
  }

  private static func text(_ revision: Int?) -> String { revision.map { "\($0)" } ?? PipelineRevision.unknownText }

  /// Added to the other replay's frame numbers to match these. Not 0 if both are of one recording
  /// but number its first frame set differently.
  func numberOffset(of other: DigestHeader) -> Int {
    recording == other.recording ? firstNumber - other.firstNumber : 0
  }

  private var decodersText: String? { decoders.isEmpty ? nil : decoders.joined(separator: ", ") }

  private var orderText: String {
    let every = order.every == 1 ? "every frame" : "one in \(order.every) frames"
    let passes = order.passCount.map { $0 == 1 ? "once" : "\($0) times" } ?? "in an endless loop"
    return "\(every) \(order.isReversed ? "backwards" : "forwards") \(passes)"
  }

  private static func entry(_ change: ParameterTimeline.Change) -> (name: String, value: String) {
    ("\(change.name) at frame \(change.frame)", change.value)
  }

  /// In the order of `a`, followed by entries that only `b` has.
  private static func joined(
    _ a: [(name: String, value: String)], _ b: [(name: String, value: String)]
  ) -> [(name: String, a: String?, b: String?)] {
    let inA = Dictionary(a.map { ($0.name, $0.value) }) { $1 }
    let inB = Dictionary(b.map { ($0.name, $0.value) }) { $1 }
    return a.map { ($0.name, $0.value, inB[$0.name]) }
      + b.filter { inA[$0.name] == nil }.map { ($0.name, nil, $0.value) }
  }
}
