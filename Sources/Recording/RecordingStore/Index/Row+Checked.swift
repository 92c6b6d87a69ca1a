import FrameModel
import GRDB
import Support

/// Checked values: GRDB's own subscripts trap on another type, and an index may be untrusted.
extension Row {
  func integer(_ column: Int) throws -> Int64 {
    guard let value = Int64.fromDatabaseValue(self[column]) else { throw wrongType(column) }
    return value
  }

  func optionalInteger(_ column: Int) throws -> Int64? {
    let value: DatabaseValue = self[column]
    return value.isNull ? nil : try integer(column)
  }

  func optionalTime(_ column: Int) throws -> PresentationTime? {
    guard let nanoseconds = try optionalInteger(column) else { return nil }
    guard nanoseconds.isPlausibleTime else { throw wrongType(column) }
    return PresentationTime(nanoseconds: nanoseconds)
  }

  func integer(_ column: Int, in range: ClosedRange<Int>) throws -> Int {
    let value = try integer(column)
    guard let value = Int(exactly: value), range.contains(value) else { throw wrongType(column) }
    return value
  }

  func real(_ column: Int) throws -> Double {
    guard let value = Double.fromDatabaseValue(self[column]), value.isFinite else { throw wrongType(column) }
    return value
  }

  func optionalReal(_ column: Int) throws -> Double? {
    let value: DatabaseValue = self[column]
    return value.isNull ? nil : try real(column)
  }

  func text(_ column: Int) throws -> String {
    guard let value = String.fromDatabaseValue(self[column]) else { throw wrongType(column) }
    return value
  }

  private func wrongType(_ column: Int) -> RetakeError {
    RetakeError(
      .corrupt, "The index has an invalid value in column \(column + 1) of a row.",
      hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
  }
}
