import FrameModel
import GRDB

/// Values of a row, checked: GRDB's own subscripts trap on a value of another type, and a file may come from a stranger.
extension Row {
  /// - Throws: `.corrupt` outside `range`.
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

  /// - Throws: `.corrupt` for what no sweep would have written, infinity too.
  func optionalReal(_ column: Int) throws -> Double? {
    // Taken out of the row once: there are seventeen in each of a million.
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

/// Something that no sweep wrote. The database makes an error of it that names the file.
struct ImpossibleRow: Error {
  var what: String
}
