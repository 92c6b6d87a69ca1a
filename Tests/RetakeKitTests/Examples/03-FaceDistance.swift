import RetakeReader

/// How far away each frame's first face is, in millimetres, for cameras whose depth has the
/// viewpoint of colour.
func faceDistances(_ path: String) throws -> [Int: Int] {
  let recording = try Recording(path: path)
  let (color, depth) = (try recording.stream(.color), try recording.stream(.depth))
  let sets = try recording.frameSets(streams: [depth])
  var distances: [Int: Int] = [:]
  while let set = try sets.next() {
    guard let face = set.faces.first, let map = set[depth]?.image else { continue }
    let x = Int(face.x + face.width / 2) * map.width / color.width
    let y = Int(face.y + face.height / 2) * map.height / color.height
    guard (0..<map.width).contains(x), (0..<map.height).contains(y) else { continue }
    distances[set.number] = Int(map.value16(x: x, y: y))
  }
  return distances
}
