import Kernels

extension ComicScreens {
  func threshold(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    Int(samples.elements[4 * ((period + 16) * (y % period) + x % period) + channel])
  }
}

extension Comic {
  func reference(_ picture: [UInt8]) -> [UInt8] {
    let (width, height) = (levels.width, levels.height)
    let fine = SoftImage.halved(rgb: picture, width: width, height: height).withLuma()
    let smooth = levels.reference(picture, hasLuma: true)[0].0
    let (step, steepness) = (Int(Self.tone.step), Int(Self.tone.steepness))
    let (half, inkGain) = (step / 2, Int(Self.tone.inkGain))
    let reach = (half + steepness - 1) / steepness
    func tone(_ x: Int, _ y: Int, _ channel: Int) -> Int {
      let luma = smooth[x, y, 3]
      if channel == 3 {
        let ink = luma - fine[x, y, 3] - Int(Self.tone.inkThreshold)
        return 16383 - min(max(ink, 0), 16383 / inkGain) * inkGain
      }
      let stair = (luma * (32768 / step)) >> 15 * step
      let place = min(max(luma - stair - half, -reach), reach) * steepness
      let level = stair + half + min(max(place, -half), half)
      let distance = smooth[x, y, channel] - luma
      return min(max(level + distance + (distance * Int(Self.tone.saturation)) >> 15, 0), SoftPlane.one)
    }
    let print = SoftImage(width: smooth.width, height: smooth.height, tone).scaledUp(2, width, height)
    let gain = Int(Self.dotGain)
    let limit = SoftPlane.one / 2 / gain
    return (0..<width * height).flatMap { i in
      (0..<3).map { channel in
        let color = print.samples[4 * i + channel]
        let above = color - screens.threshold(i % width, i / width, channel)
        let dot = min(max(above, -limit), limit) * gain + SoftPlane.one / 2
        let printed = color + ((dot - color) * Int(Self.dotShare)) >> 15
        return UInt8(((printed * 2 * print.samples[4 * i + 3]) >> 15 + 32) >> 6)
      }
    }
  }
}
