extension Sequence {
  /// Groups elements by key. Groups are in the order of their first elements, and elements keep their order.
  package func grouped<Key: Equatable, Value>(
    by key: (Element) -> Key, _ value: (Element) -> Value
  ) -> [(key: Key, values: [Value])] {
    var groups: [(key: Key, values: [Value])] = []
    for element in self {
      let key = key(element)
      if let place = groups.firstIndex(where: { $0.key == key }) {
        groups[place].values.append(value(element))
      } else {
        groups.append((key, [value(element)]))
      }
    }
    return groups
  }
}
