import Kernels

extension VariableBlur {
  func reference(_ picture: [UInt8], matte: [UInt8]) -> [UInt8] {
    let sharp = SoftImage(rgb: picture, width: levels.width, height: levels.height)
    let blurred = levels.reference(picture).map { $0.0.scaledUp($0.1, levels.width, levels.height) }
    return (0..<matte.count).flatMap { i in
      (0..<3).map { channel in
        var (sum, before) = (sharp.samples[4 * i + channel], sharp.samples[4 * i + channel])
        for k in steps.indices.reversed() {
          let faded = min(max(steps[k].from - Int(matte[i]), 0), steps[k].length)
          let next = blurred[k].samples[4 * i + channel]
          sum += ((next - before) * min(faded * steps[k].gain, 32767)) >> 15
          before = next
        }
        // Where the matte is 0, the last level is used unmixed.
        return UInt8(((matte[i] == 0 ? before : sum) + 32) >> 6)
      }
    }
  }
}
