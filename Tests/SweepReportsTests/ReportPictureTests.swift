import SweepReports
import Testing

@Suite("Pictures of a report")
struct ReportPictureTests {
  @Test("the best comes first")
  func roles() { #expect(ReportPicture.Role.allCases.first == .best) }
}
