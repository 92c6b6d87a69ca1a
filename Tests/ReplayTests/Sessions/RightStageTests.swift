import FrameModel
import MattePipeline
import Parameters
import Replay
import TestSupport
import Testing

/// What is changed in one place is seen by a comparison in that place: in the header by its name, and in the frames first at
/// the stage that it belongs to.
@Suite(.long) struct RightStageTests {
  private let replays: ComparedReplays

  init() throws { try self.init(emptyCount: 0) }

  private init(emptyCount: Int) throws { replays = try ComparedReplays(emptyCount: emptyCount) }

  /// Where a parameter's first difference may lie.
  /// - Parameter keepsMattes: whether a matte depends on the one before, which may be of a frame that now is missing.
  private static func stages(of name: String, keepsMattes: Bool) -> Set<DigestStage> {
    let isReplays = ReplayParameters.all.contains { $0.name == name }
    return stages(of: name).union(keepsMattes && isReplays ? [.matte] : [])
  }

  private static func stages(of name: String) -> Set<DigestStage> {
    switch name {
    // What is looked at, and when, is decided where depth is chosen: the frame in force is another one.
    case "depth.look-ahead": return [.sourceDepth]
    // Says how depth lies over the video, not what it is: seen where the face is looked up, or where the mask is scaled.
    case "depth.scale-by": return [.mask, .matte, .composite]
    // These decide whether depth, mask and matte are made at all.
    case "mask.kind", "mask.second": return [.sourceDepth, .mask]
    case "composite.kind", "composite.mix": return [.sourceDepth, .mask, .composite]
    // Nobody looks for faces in a frame that does not come: in the next one those of an earlier frame hold.
    case "throttle.from", "throttle.rate", "fault.color-drop", "fault.color-burst":
      return [.sourceColor, .sourceDepth, .mask, .composite]
    default: break
    }
    // Faces have no digest of their own: they decide the mask, and with composite.kind=face-color the composite.
    if name.hasPrefix("faces.") || name.hasPrefix("fault.faces") { return [.mask, .composite] }
    if ReplayParameters.all.contains(where: { $0.name == name }) { return [.sourceColor, .sourceDepth] }
    switch name.prefix(while: { $0 != "." }) {
    case "depth": return [.depth]
    case "mask": return [.mask]
    case "matte": return [.matte]
    default: return [.composite]
    }
  }

  /// Members of the header that stand for a file, or for what a network was given.
  private static func standIns(for name: String) -> Set<String> {
    switch name {
    case "composite.background": ["background"]
    case "mask.plate": ["plate"]
    case "mask.model", "mask.quality": ["network", "masks"]
    // Whether a network is needed.
    case "mask.kind", "mask.second", "composite.kind": ["network", "masks"]
    default: []
    }
  }

  /// Whether what comes of a frame may be nothing: where depth, masks or colour may be missing, frames are. Without a
  /// background the video is shown also before there is a mask.
  private static func mayLeaveOut(_ name: String) -> Bool {
    [
      "composite.without-mask", "composite.without-background", "composite.kind", "mask.kind", "mask.second",
      "mask.plate-frames", "mask.plate",
    ].contains(name)
      || ReplayParameters.all.contains { $0.name == name }
  }

  /// - Returns: whether any frame differs.
  @discardableResult
  private func check(_ preset: String, _ assignments: [String], _ name: String, _ value: String) throws -> Bool {
    let found = try ComparedReplays.compare(
      replays.base(preset, assignments), replays.digests(preset, assignments + ["\(name)=\(value)"]))
    let what = "\(preset) \(assignments) \(name)=\(value)"
    let fields = Set(
      found.headers.compactMap { difference -> String? in
        if case .header(let field, _, _) = difference { field } else { nil }
      })
    let standIns = Self.standIns(for: name)
    if standIns.isEmpty || !PipelineParameters.files.contains(where: { $0.declaration.name == name }) {
      #expect(fields.contains(name), "\(what): \(fields)")
    }
    #expect(fields.subtracting(standIns).isSubset(of: [name]), "\(what): \(fields)")

    let frames = found.frames
    let missing = frames.missing.count + frames.extra.count
    #expect(missing == 0 || Self.mayLeaveOut(name), "\(what): \(missing) frames are missing")
    guard case .frame(_, let stage, let a, let b) = frames.firstFrameDifference else { return missing > 0 }
    let keepsMattes = try replays.parameters(preset, assignments)[PipelineParameters.matte.still] > 0
    let allowed = Self.stages(of: name, keepsMattes: keepsMattes)
    #expect(allowed.contains(stage), "\(what): first in \(stage)")
    // In no frame is anything before it another.
    let first = allowed.map(\.position).min() ?? 0
    #expect(frames.stageCounts[..<first].allSatisfy { $0 == 0 }, "\(what): \(frames.stageCounts)")
    if ["mask.kind", "mask.second", "composite.kind", "composite.mix"].contains(name), stage == .sourceDepth {
      #expect(a == DigestStage.none || b == DigestStage.none, "\(what): source depth is another, not only made or not")
    }
    return true
  }

  private func candidates(_ declaration: ParameterDeclaration, _ preset: String, _ assignments: [String]) throws
    -> [String]
  {
    let parameters = try replays.parameters(preset, assignments)
    let value = parameters.entries.first { $0.name == declaration.name }?.value ?? ""
    return declaration.candidates(
      besides: value, models: [replays.otherModel], plate: replays.plate, picture: replays.picture)
  }

  @Test(arguments: Preset.all.map(\.name))
  func `other values of each parameter of a preset are named, and seen first at their own stage`(preset: String) throws
  {
    let changes = try ReplaySession.declarations.flatMap { declaration in
      try candidates(declaration, preset, []).map { (declaration.name, $0) }
    }
    for (name, value) in Sample.of(changes, count: 60) { try check(preset, [], name, value) }
  }

  /// What has to be set beside a parameter so that it is in force; without an entry nothing has to.
  private static let companions: [String: (preset: String, assignments: [String])] = [
    "depth.phase": ("truedepth-backdrop", ["depth.rate=1/3"]),
    "depth.spatial-alpha": ("truedepth-backdrop", ["depth.spatial-passes=2"]),
    "depth.spatial-delta": ("truedepth-backdrop", ["depth.spatial-passes=2"]),
    "depth.temporal-alpha": ("truedepth-backdrop", ["depth.temporal=smooth"]),
    "depth.temporal-delta": ("truedepth-backdrop", ["depth.temporal=smooth"]),
    "depth.look-ahead": ("truedepth-backdrop", ["depth.rate=1/3"]),
    "mask.combine": ("truedepth-backdrop", ["mask.second=cutoff"]),
    "mask.cutoff": ("truedepth-backdrop", ["mask.kind=cutoff"]),
    // The scene's noise is several times a Kinect's.
    "mask.movement": (
      "truedepth-backdrop",
      [
        "depth.spatial-passes=5", "depth.spatial-delta=200", "depth.spatial-alpha=0.25", "mask.pieces=face",
        "mask.smallest-piece=0", "mask.offset=-1",
      ]
    ),
    "mask.empty-start": ("truedepth-backdrop", ["mask.plate-frames=2"]),
    "mask.plate": ("truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=2"]),
    "mask.plate-frames": ("truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=2"]),
    "mask.plate-margin": ("truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=2"]),
    "mask.plate-holes": ("truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=2"]),
    "mask.plate-outliers": (
      "truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=4", "fault.depth-noise=8", "mask.plate-margin=0"]
    ),
    "mask.plate-doubt": (
      "truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=4", "fault.depth-noise=8", "mask.plate-margin=0"]
    ),
    "mask.plate-color": ("truedepth-backdrop", ["mask.kind=plate", "mask.plate-frames=2"]),
    // The scene's noise is several times a Kinect's.
    "mask.plate-renew": (
      "truedepth-backdrop",
      [
        "mask.kind=plate", "mask.plate-frames=1", "mask.plate-renew=0.1", "mask.plate-margin=0",
        "depth.spatial-passes=5", "depth.spatial-delta=200", "depth.spatial-alpha=0.25",
      ]
    ),
    "mask.face-sample": ("truedepth-backdrop", ["mask.offset=0"]),
    "mask.label": ("virtual-background", ["mask.model=LABELS"]),
    "mask.threshold": ("matte-effects", ["mask.soft=false"]),
    "mask.quality": ("matte-effects", []),
    "mask.model": ("matte-effects", []),
    "matte.temporal-weight": ("truedepth-backdrop", ["matte.temporal=average"]),
    "matte.guided-epsilon": ("truedepth-backdrop", ["matte.guided-radius=3"]),
    "composite.fit": ("truedepth-backdrop", ["composite.background=PICTURE"]),
    "composite.despill-amount": ("truedepth-backdrop", ["composite.despill=green"]),
    "composite.light-wrap": ("truedepth-backdrop", ["composite.background=PICTURE"]),
    "composite.light-wrap-radius": (
      "truedepth-backdrop", ["composite.background=PICTURE", "composite.light-wrap=0.7"]
    ),
    "throttle.rate": ("truedepth-backdrop", ["throttle.from=4"]),
    "fault.seed": ("truedepth-backdrop", ["fault.depth-drop=0.5"]),
    "fault.color-burst": ("truedepth-backdrop", ["fault.color-drop=0.3"]),
    "fault.depth-burst": ("truedepth-backdrop", ["fault.depth-drop=0.3"]),
    "fault.stuck-frames": ("truedepth-backdrop", ["fault.stuck-from=4", "fault.stuck-frames=4"]),
    "fault.faces-lost-frames": ("truedepth-backdrop", ["fault.faces-lost-from=4", "fault.faces-lost-frames=2"]),
  ]

  @Test(arguments: ReplaySession.declarations.map(\.name))
  func `every parameter makes a difference where it is in force, and it is seen`(name: String) throws {
    let declaration = try #require(ReplaySession.declarations.first { $0.name == name })
    let tests = name == "mask.empty-start" ? try Self(emptyCount: 4) : self
    let settings = Self.companions[name].map { [$0] } ?? Preset.all.map { ($0.name, []) }
    for (preset, assignments) in settings {
      let assignments = assignments.map {
        $0.replacingOccurrences("PICTURE", replays.picture).replacingOccurrences("LABELS", replays.labelModel)
      }
      for value in try tests.candidates(declaration, preset, assignments) {
        guard try tests.check(preset, assignments, name, value) else { continue }
        #expect(ReplaySession.idleSentences(of: [name], in: [try replays.parameters(preset, assignments)]).isEmpty)
        return
      }
    }
    Issue.record("\(name) changes nothing in any preset")
  }

  @Test(arguments: Preset.all.map(\.name))
  func `a parameter that is said to have no effect has none`(preset: String) throws {
    let parameters = try replays.parameters(preset, [])
    let idle = ReplaySession.declarations.filter {
      !ReplaySession.idleSentences(of: [$0.name], in: [parameters]).isEmpty
    }
    #expect(!idle.isEmpty)
    let changes = try idle.flatMap { declaration in
      try candidates(declaration, preset, []).map { (declaration.name, $0) }
    }
    for (name, value) in Sample.of(changes, count: 20) {
      #expect(try !check(preset, [], name, value), "\(name)=\(value)")
    }
  }

  @Test func `conditions are on parameters and values that exist`() throws {
    let values = ParameterSet(ReplaySession.declarations)
    var count = 0
    for declaration in ReplaySession.declarations {
      for way in ReplaySession.conditions(of: declaration.name).flatMap(\.ways) {
        let other = try #require(ReplaySession.declarations.first { $0.name == way.name }, "\(way.name)")
        switch way.test {
        case .isOne(let texts), .isNone(let texts):
          for text in texts { _ = try other.value(parsing: text) }
        case .isAbove, .isBelow:
          #expect(Double(values.value(named: way.name)?.description ?? "") != nil, "\(way.name)")
        }
        count += 1
      }
    }
    #expect(count > 60)
    #expect(Set(PipelineParameters.conditions.keys).isSubset(of: ReplaySession.declarations.map(\.name)))
  }
}

extension String {
  fileprivate func replacingOccurrences(_ word: String, _ other: String) -> String {
    split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
  }
}
