import Kernels

extension MaskMorphology {
  func reference(_ mask: [UInt8]) -> [UInt8] {
    mask.indices.map { i in
      var (least, most) = (UInt8.max, UInt8.min)
      for y in max(i / width - radius, 0)...min(i / width + radius, height - 1) {
        for x in max(i % width - radius, 0)...min(i % width + radius, width - 1) {
          let (dx, dy) = (x - i % width, y - i / width)
          guard dx * dx + dy * dy <= radius * radius + radius else { continue }
          least = min(least, mask[y * width + x])
          most = max(most, mask[y * width + x])
        }
      }
      return extreme == .largest ? most : least
    }
  }
}
