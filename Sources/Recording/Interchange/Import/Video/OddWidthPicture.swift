/// A 4:2:0 picture of odd width as ffmpeg writes it. A row of luma has an odd number of samples there, and an even
/// one in a recording, whose added sample repeats the one before it.
struct OddWidthPicture {
  let width: Int
  let height: Int
  /// Samples of 16 bits in planes of luma, Cb and Cr. Otherwise they have 8 bits, and Cb and Cr alternate.
  let isPlanar: Bool

  private var sampleByteCount: Int { isPlanar ? 2 : 1 }
  private var rowByteCount: Int { width * sampleByteCount }
  private var chromaWidth: Int { (width + 1) / 2 }
  private var chromaCount: Int { chromaWidth * ((height + 1) / 2) }

  /// Bytes that ffmpeg writes.
  var byteCount: Int { height * rowByteCount + 2 * chromaCount * sampleByteCount }

  /// Gives the rows the length and order of a recording's.
  /// - Parameters:
  ///   - picture: has room for the rows afterwards.
  ///   - count: bytes that ffmpeg wrote.
  /// - Returns: bytes of the picture that are valid then.
  func spread(_ picture: UnsafeMutableRawBufferPointer, count: Int) -> Int {
    let chroma = [UInt8](picture[min(count, height * rowByteCount)..<count])
    let padded = rowByteCount + sampleByteCount
    let wholeRowCount = min(height, count / rowByteCount)
    for row in (0..<wholeRowCount).reversed() {
      let target = UnsafeMutableRawBufferPointer(rebasing: picture[row * padded..<(row + 1) * padded])
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: picture[row * rowByteCount..<(row + 1) * rowByteCount]))
      target[rowByteCount...].copyBytes(from: target[rowByteCount - sampleByteCount..<rowByteCount])
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: picture[(wholeRowCount * padded)...])
    return wholeRowCount * padded + (isPlanar ? interleave(chroma, to: target) : copy(chroma, to: target))
  }

  private func copy(_ chroma: [UInt8], to target: UnsafeMutableRawBufferPointer) -> Int {
    target.copyBytes(from: chroma)
    return chroma.count
  }

  /// - Returns: bytes of the rows of which both planes are whole.
  private func interleave(_ chroma: [UInt8], to target: UnsafeMutableRawBufferPointer) -> Int {
    let valid = max(0, chroma.count / 2 - chromaCount) / chromaWidth * chromaWidth
    for sample in 0..<valid {
      for (plane, place) in [(2 * sample, 4 * sample), (2 * (chromaCount + sample), 4 * sample + 2)] {
        target[place] = chroma[plane]
        target[place + 1] = chroma[plane + 1]
      }
    }
    return valid * 4
  }
}
