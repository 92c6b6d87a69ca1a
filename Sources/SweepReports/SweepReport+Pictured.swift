import SweepResults

extension SweepReport {
  /// The settings that a report shows pictures of, by their places among the identity's settings: nobody has to make others.
  /// - Parameter best: the place of the best by somebody's choice; nil for the report's own.
  package static func pictured(
    _ identity: SweepIdentity, _ summaries: [RunSummary], best: Int?
  ) -> [(role: ReportPicture.Role, setting: Int)] {
    let roles = SweepRoles(SweepTable(identity, summaries), chosen: best)
    return ReportPicture.Role.allCases.compactMap { role in roles[role].map { (role, $0) } }
  }
}
