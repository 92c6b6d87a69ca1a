import Support
import Testing

@Suite struct GroupingTests {
  @Test func `groups and their values come in the order of the elements`() {
    let groups = [("b", 1), ("a", 2), ("b", 3)].grouped(by: \.0, \.1)
    #expect(groups.map(\.key) == ["b", "a"])
    #expect(groups.map(\.values) == [[1, 3], [2]])
  }
}
