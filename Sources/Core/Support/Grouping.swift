extension Sequence {
  /// Elements by key, in the order in which keys and elements come.
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
