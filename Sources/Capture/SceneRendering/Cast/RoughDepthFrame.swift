import FrameModel

/// Renders depth frames of a scene with `RoughDepthSensor`. Owned by one thread.
final class RoughDepthFrame {
  private let scene: Scene
  private let stage: Stage
  private let sensor: RoughDepthSensor
  private let reflectivity: ReflectivityMap
  private let mirror: FloorMirror?

  init(_ scene: Scene, writer: DepthSensor) {
    self.scene = scene
    let effects = scene.options.effects
    stage = Stage(scene.depthRoom)
    sensor = RoughDepthSensor(lens: scene.depthLens, writer: writer, noise: scene.noise, scene.options)
    reflectivity = ReflectivityMap(scene.depthLens, strength: effects.holes)
    mirror = effects.gloss > 0 ? FloorMirror(scene.depthRoom, gloss: effects.gloss) : nil
  }

  func render(_ instant: Int, into frame: UnsafeMutableRawBufferPointer) {
    let layout = scene.depthLayout
    guard let base = frame.baseAddress, frame.count >= layout.byteCount else { return }
    let isEmpty = scene.isEmpty(at: instant)
    let figures = isEmpty ? [] : scene.cast?.figures(at: scene.time(at: instant)) ?? []
    stage.draw(figures)
    let count = scene.depthLens.width * scene.depthLens.height
    for i in 0..<count {
      sensor.alpha[i] = stage.layers[i].w
      sensor.body[i] = stage.distances[i]
      sensor.room[i] = scene.depthRoom.distances[i]
    }
    reflectivity.fill(sensor.loss, from: stage.layers)
    polishFloor(figures, count)
    sensor.sense(frame: instant, into: base, bytesPerRow: layout.bytesPerRow)
  }

  /// A glossy floor returns little light from afar, and where it mirrors a person, that person's distance.
  private func polishFloor(_ figures: [Figure], _ count: Int) {
    guard let mirror else { return }
    mirror.draw(figures)
    let gloss = Float(scene.options.effects.gloss)
    for i in 0..<count where scene.depthRoom.isFloor[i] {
      let mirrored = mirror.layers[i].w > 0.5 && mirror.distances[i] > 0
      if mirrored { sensor.room[i] = mirror.distances[i] }
      sensor.roomLoss[i] = gloss * (mirrored ? 1.6 : 0.8 * sensor.room[i].smoothstep(2.4, 4.5))
    }
  }
}
