/// The size of a depth map, and the depth column and row for each column and row of the picture.
package struct DepthGrid: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let columns: [Int32]
  package let rows: [Int32]

  package init(width: Int, height: Int, columns: [Int32], rows: [Int32]) {
    precondition(columns.allSatisfy { (0..<Int32(width)).contains($0) })
    precondition(rows.allSatisfy { (0..<Int32(height)).contains($0) })
    (self.width, self.height, self.columns, self.rows) = (width, height, columns, rows)
  }

  package var count: Int { width * height }
}
