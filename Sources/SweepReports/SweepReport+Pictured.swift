import FrameModel
import SweepResults

extension SweepReport {
  /// The settings that a report shows pictures of, by their places among the identity's settings: nobody has to make others.
  /// - Parameter choice: what the report is made with.
  /// - Throws: as the report does.
  package static func pictured(
    _ identity: SweepIdentity, _ summaries: [RunSummary], choice: SweepChoice?
  ) throws(RetakeError) -> [(role: ReportPicture.Role, setting: Int)] {
    let chosen = try ReportChoice(choice, summaries, identity)
    let roles = SweepRoles(SweepTable(identity, summaries), chosen: chosen.setting, by: chosen.score)
    return ReportPicture.Role.allCases.compactMap { role in roles[role].map { (role, $0) } }
  }
}
