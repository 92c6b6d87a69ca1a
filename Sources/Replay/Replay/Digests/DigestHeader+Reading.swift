import Foundation
import Parameters
import Support

extension DigestHeader {
  private struct Members: Decodable {
    struct Change: Decodable {
      var frame: Int
      var name: String
      var value: String
    }
    struct Order: Decodable {
      var span: Int
      var every: Int
      var reversed: Bool
      var passes: Int
    }
    var version: String
    var pipelineRevision: Int?
    var recording: String
    var preset: String
    var parameterDigest: String
    var depthRate: String
    var depthPhase: Int
    var firstFrame: Int
    var frameCount: Int?
    var firstNumber: Int?
    var order: Order?
    var parameters: [String: String]
    var changes: [Change]?
    var background: String
    var plate: String?
    var network: String
    var masks: String
    var decoders: [String]?
    var alignment: String?

    enum CodingKeys: String, CodingKey {
      case version, recording, preset, order, parameters, changes, background, plate, network, masks, decoders,
        alignment
      case pipelineRevision = "pipeline_revision"
      case parameterDigest = "parameter_digest"
      case depthRate = "depth_rate"
      case depthPhase = "depth_phase"
      case firstFrame = "first_frame"
      case frameCount = "frame_count"
      case firstNumber = "first_number"
    }
  }
  private struct FormatMember: Decodable { var format: String }

  /// Far more changes than a user makes, but few enough to check each.
  private static let changeLimit = 10_000

  /// - Throws: `.corrupt` for an invalid header, `.unsupported` for another format.
  package init(line: [UInt8], of name: String) throws(RetakeError) {
    let data = Data(line)
    guard let format = (try? JSONDecoder().decode(FormatMember.self, from: data))?.format else {
      throw RetakeError(
        .corrupt, "\(name) is not a file of digests: its first line is not a header.",
        hint: "'retake replay REC --output digests:FILE' writes one")
    }
    guard format == Self.format else {
      throw RetakeError(
        .unsupported, "\(name) has the format '\(format.prefix(40))'; this version of Retake reads \(Self.format).",
        hint:
          "write it again with 'retake replay REC --output digests:FILE', or use the version of Retake that wrote it")
    }
    guard let members = try? JSONDecoder().decode(Members.self, from: data), let order = Self.order(members),
      Fraction(members.depthRate) != nil, (0...1 << 40).contains(members.depthPhase),
      members.parameterDigest.isDigest, (0...1 << 20).contains(members.pipelineRevision ?? 0),
      [members.network, members.masks, members.plate ?? DigestStage.none].allSatisfy({
        $0 == DigestStage.none || $0.isDigest
      }),
      (members.changes ?? []).count <= Self.changeLimit,
      (members.changes ?? []).allSatisfy({ (0..<DigestRecord.frameLimit).contains($0.frame) })
    else {
      throw RetakeError(
        .corrupt, "\(name), line 1 is not a valid header of digests: a member is missing or out of range.",
        hint: "write it again with 'retake replay REC --output digests:FILE'")
    }
    self.init(
      version: members.version, pipelineRevision: members.pipelineRevision,
      recording: members.recording, preset: members.preset,
      parameterDigest: members.parameterDigest, depthRate: members.depthRate, depthPhase: members.depthPhase,
      parameters: Self.inOrder(members.parameters),
      changes: (members.changes ?? []).map {
        ParameterTimeline.Change(frame: $0.frame, name: $0.name, value: $0.value)
      },
      frameCount: members.frameCount, firstNumber: members.firstNumber ?? 0, order: order,
      background: members.background, plate: members.plate, network: members.network, masks: members.masks,
      decoders: members.decoders ?? [], alignment: members.alignment)
  }

  private static func order(_ members: Members) -> PlayOrder? {
    let numbers = 0..<DigestRecord.frameLimit
    let firstNumber = members.firstNumber ?? 0
    guard numbers.contains(firstNumber), numbers.contains(members.firstFrame), members.firstFrame >= firstNumber,
      numbers.contains(members.frameCount ?? 0)
    else { return nil }
    let first = members.firstFrame - firstNumber
    var order = PlayOrder(frames: first..<(members.frameCount.map { first + $0 } ?? Int.max))
    if let told = members.order {
      guard numbers.contains(told.span), numbers.contains(told.every), told.every > 0, numbers.contains(told.passes)
      else { return nil }
      order.frames = first..<first + told.span
      order.every = told.every
      order.isReversed = told.reversed
      order.passCount = told.passes == 0 ? nil : told.passes
    }
    return order
  }

  /// In order of declaration, followed by unknown parameters sorted by name.
  private static func inOrder(_ values: [String: String]) -> [(name: String, value: String)] {
    let declared = ReplaySession.declarations.map(\.name)
    let others = values.keys.filter { !declared.contains($0) }.sorted()
    return (declared + others).compactMap { name in values[name].map { (name, $0) } }
  }
}
