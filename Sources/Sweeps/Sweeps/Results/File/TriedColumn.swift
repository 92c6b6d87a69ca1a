/// The column of a swept parameter; numeric if its value is a number in every setting.
struct TriedColumn: Hashable, Sendable {
  enum ValueType: String {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
  }

  let name: String
  let type: ValueType
  /// Index among the parameters of a setting.
  let place: Int

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

  /// A decimal number. Swift alone would accept "nan" and "0x1p3" too.
  static func real(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) || "+-.e".utf8.contains($0) }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }
}
