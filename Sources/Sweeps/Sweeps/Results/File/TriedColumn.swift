/// A parameter that is tried, as a column: numbers as numbers, so that they can be plotted and compared as such.
struct TriedColumn: Hashable, Sendable {
  enum ValueType: String {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
  }

  /// The parameter's.
  let name: String
  let type: ValueType
  /// Its place among the parameters of a setting.
  let place: Int

  /// In the order in which they were given. One is numeric where its value in every setting is.
  static func all(of identity: SweepIdentity) -> [TriedColumn] {
    guard let first = identity.settings.first else { return [] }
    return identity.tried.compactMap { name in
      guard let place = first.parameters.firstIndex(where: { $0.name == name }) else { return nil }
      let values = identity.settings.map { $0.parameters[place].value }
      let type: ValueType =
        values.allSatisfy { integer($0) != nil } ? .integer : values.allSatisfy { real($0) != nil } ? .real : .text
      return TriedColumn(name: name, type: type, place: place)
    }
  }

  static func integer(_ text: String) -> Int? { text.utf8.first == UInt8(ascii: "+") ? nil : Int(text) }

  /// Digits with a point and a power of ten, as parameters write numbers; Swift would read "nan" and "0x1p3" too.
  static func real(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) || "+-.e".utf8.contains($0) }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }
}
