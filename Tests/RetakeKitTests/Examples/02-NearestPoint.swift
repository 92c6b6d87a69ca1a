import RetakeReader

/// The nearest measured distance in each depth frame, in millimetres; nil without a measurement.
func nearestDistances(_ path: String) throws -> [Int?] {
  let recording = try Recording(path: path)
  let frames = try recording.frames(of: recording.stream(.depth))
  var nearest: [Int?] = []
  while let frame = try frames.next() {
    precondition(frame.image.format == .depthMillimeters16)
    nearest.append(
      frame.image.withUnsafeBytes { bytes in
        let distances = stride(from: 0, to: bytes.count - 1, by: 2).map {
          Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8  // little-endian
        }
        return distances.filter { $0 > 0 }.min()
      })
  }
  return nearest
}
