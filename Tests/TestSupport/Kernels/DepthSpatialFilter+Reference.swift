import Kernels

extension DepthSpatialFilter {
  package func reference(_ depth: [UInt16]) -> [UInt16] {
    var plane = depth
    for y in 0..<height { run(&plane, from: y * width, step: 1, count: width) }
    for x in 0..<width { run(&plane, from: x, step: width, count: height) }
    return plane
  }

  private func run(_ plane: inout [UInt16], from start: Int, step: Int, count: Int) {
    var line = (0..<count).map { Int(plane[start + $0 * step]) << 8 }
    func filter(_ i: Int, _ before: Int) {
      guard line[i] != 0, line[before] != 0, abs(line[i] - line[before]) <= Int(delta) << 8 else { return }
      line[i] = DepthShare.mix(line[before], line[i], share: share)
    }
    for i in 1..<max(count, 1) { filter(i, i - 1) }
    for i in (0..<count - 1).reversed() { filter(i, i + 1) }
    for i in 0..<count { plane[start + i * step] = DepthShare.millimeters(line[i]) }
  }
}
