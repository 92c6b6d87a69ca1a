import RetakeKit

/// The person is whatever is brighter than a threshold: for people lit before a dark wall.
struct BrightMask: MaskStage {
  let name = "bright"
  let revision = 1
  let parameters = [
    StageParameter.integer("threshold", in: 0...255, default: 128, help: "grey from which a pixel is the person")
  ]

  func makeMasker(_ setup: MaskSetup) -> any Masker {
    BrightMasker(width: setup.videoWidth, height: setup.videoHeight, threshold: setup.integer("threshold"))
  }
}

final class BrightMasker: Masker {
  let (width, height, threshold): (Int, Int, Int)
  init(width: Int, height: Int, threshold: Int) {
    (self.width, self.height, self.threshold) = (width, height, threshold)
  }

  func mask(_ input: StageInput, into mask: UnsafeMutableBufferPointer<UInt8>) -> MaskResult {
    input.color.withUnsafeBytes { rgb in
      for i in mask.indices {
        let grey = (Int(rgb[3 * i]) + Int(rgb[3 * i + 1]) + Int(rgb[3 * i + 2])) / 3
        mask[i] = grey >= threshold ? 255 : 0
      }
    }
    return .new
  }
}

/// Pixels of the person in each frame.
func brightPixelCounts(_ recording: Recording, threshold: Int) throws -> [Int] {
  var parameters = try Parameters(preset: "truedepth-backdrop", stages: [BrightMask()])
  try parameters.set("mask.kind", to: "bright")
  try parameters.set("mask.bright.threshold", to: threshold)
  var counts: [Int] = []
  try Replay(recording, parameters).run(taps: [.mask]) { frame in
    counts.append(frame[.mask]?.withUnsafeBytes { $0.count { $0 == 255 } } ?? 0)
  }
  return counts
}
