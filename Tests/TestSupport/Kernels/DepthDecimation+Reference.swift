import Kernels

extension DepthDecimation {
  package static func reference(_ depth: [UInt16], width: Int, height: Int, factor: Int) -> [UInt16] {
    let (columns, rows) = ((width + factor - 1) / factor, (height + factor - 1) / factor)
    return (0..<columns * rows).map { i in
      let (left, top) = (i % columns * factor, i / columns * factor)
      var measured: [UInt16] = []
      for y in top..<min(top + factor, height) {
        for x in left..<min(left + factor, width) where depth[y * width + x] != 0 {
          measured.append(depth[y * width + x])
        }
      }
      return measured.isEmpty ? 0 : measured.sorted()[(measured.count - 1) / 2]
    }
  }
}
