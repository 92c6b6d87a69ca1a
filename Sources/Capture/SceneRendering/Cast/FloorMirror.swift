/// Mirror images of people in a glossy floor. Owned by one thread.
final class FloorMirror {
  private let stage: Stage
  private let gloss: Float
  var box: PixelBox { stage.box }
  var distances: UnsafeMutablePointer<Float> { stage.distances }
  var layers: UnsafeMutablePointer<SIMD4<Float>> { stage.layers }

  init(_ room: RoomPicture, gloss: Double) {
    stage = Stage(room)
    self.gloss = Float(gloss)
  }

  func draw(_ figures: [Figure]) {
    stage.draw(figures.map(Self.mirrored), onlyFloor: true)
  }

  /// Adds the images to a picture of the room, packed RGB.
  func blend(onto rgb: UnsafeMutablePointer<UInt8>) {
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      for i in y * stage.lens.width + box.minX..<y * stage.lens.width + box.maxX where stage.layers[i].w > 0 {
        let layer = stage.layers[i] * gloss
        for channel in 0..<3 {
          let under = Float(rgb[3 * i + channel]) * (1 - layer.w)
          rgb[3 * i + channel] = UInt8(truncatingIfNeeded: (under + layer[channel]).nearestInteger)
        }
      }
    }
  }

  private static func mirrored(_ figure: Figure) -> Figure {
    var figure = figure
    figure.parts = figure.parts.map { part in
      var place = part.place
      place.origin.y = 2 * SceneRoom.floorY - place.origin.y
      place.across.y = -place.across.y
      place.along.y = -place.along.y
      place.outward.y = -place.outward.y
      return Figure.Part(map: part.map, place: place, refinements: part.refinements)
    }
    return figure
  }
}
