import GRDB

/// Checked access to columns: GRDB's own subscripts trap on a value of another type.
extension Row {
  /// - Throws: `ImpossibleRow` outside `range`.
  func integer(_ column: Int, in range: ClosedRange<Int>) throws -> Int {
    guard let value = Int.fromDatabaseValue(self[column]), range.contains(value) else { throw wrongValue(column) }
    return value
  }

  func optionalInteger(_ column: Int, in range: ClosedRange<Int>) throws -> Int? {
    isNull(column) ? nil : try integer(column, in: range)
  }

  func real(_ column: Int) throws -> Double {
    guard let value = try optionalReal(column) else { throw wrongValue(column) }
    return value
  }

  /// - Throws: `ImpossibleRow` for values that no sweep writes, such as infinity.
  func optionalReal(_ column: Int) throws -> Double? {
    // Read from the row once: a million rows may have twenty scores each.
    let stored: DatabaseValue = self[column]
    if stored.isNull { return nil }
    guard let value = Double.fromDatabaseValue(stored), SweepLimits.holds(value) else {
      throw wrongValue(column)
    }
    return value
  }

  func text(_ column: Int, limit: Int = SweepLimits.textBytes) throws -> String {
    guard let value = String.fromDatabaseValue(self[column]), value.utf8.count <= limit else {
      throw wrongValue(column)
    }
    return value
  }

  func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }

  private func isNull(_ column: Int) -> Bool {
    let value: DatabaseValue = self[column]
    return value.isNull
  }

  private func wrongValue(_ column: Int) -> ImpossibleRow {
    ImpossibleRow(what: "a row has an impossible value in column \(column + 1)")
  }
}

/// A row that no sweep writes; becomes a `.corrupt` error that names the file.
struct ImpossibleRow: Error {
  var what: String
}
