import Kernels

extension DepthFill {
  package static func reference(_ depth: [UInt16], width: Int, height: Int) -> [UInt16] {
    depth.indices.map { i in
      guard depth[i] == 0 else { return depth[i] }
      let (x, y) = (i % width, i / width)
      let row = (0..<width).map { depth[y * width + $0] }
      let column = (0..<height).map { depth[$0 * width + x] }
      let neighbors = [
        row[..<x].last { $0 != 0 }, row[x...].first { $0 != 0 }, column[..<y].last { $0 != 0 },
        column[y...].first { $0 != 0 },
      ]
      return neighbors.compactMap { $0 }.max() ?? 0
    }
  }
}
