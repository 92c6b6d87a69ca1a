import FrameModel

/// Renders any instant of a scene, in any order: the bytes depend on scene and instant alone. Holds
/// scratch memory, so each thread needs its own.
package final class SceneRenderer {
  private let scene: Scene
  private let colorCanvas: PersonCanvas?
  private let depthCanvas: PersonCanvas?
  private let depthSensor: DepthSensor
  /// Nil for the gesturing person alone.
  private let exposure: ExposureCanvas?
  private let roughDepth: RoughDepthFrame?
  private let mirror: FloorMirror?
  /// Nil for a perfect camera.
  private let colorSensor: ColorSensor?
  /// The person over the room, and the person's alpha.
  private let rgb: UnsafeMutablePointer<UInt8>
  private let alpha: UnsafeMutablePointer<UInt8>
  private let distances: UnsafeMutablePointer<Float>
  private let bells: UnsafeMutablePointer<Float>
  /// Area of the last frame's person, to be cleared.
  private var dirty = PixelBox.empty

  package init(_ scene: Scene) {
    self.scene = scene
    let hasPerson = scene.person != nil
    let canvas = hasPerson ? PersonCanvas(lens: scene.colorLens) : nil
    colorCanvas = canvas
    depthCanvas =
      hasPerson && scene.depthLens != scene.colorLens ? PersonCanvas(lens: scene.depthLens) : canvas
    depthSensor = DepthSensor(
      lens: scene.depthLens, format: scene.options.depthFormat, noise: scene.noise, seed: scene.options.seed)
    exposure = scene.cast.map { _ in ExposureCanvas(scene.room, scene.options.effects) }
    mirror =
      scene.cast != nil && scene.options.effects.gloss > 0
      ? FloorMirror(scene.room, gloss: scene.options.effects.gloss) : nil
    roughDepth = scene.options.effects.isDepthRough ? RoughDepthFrame(scene, writer: depthSensor) : nil
    colorSensor = scene.noise.map {
      ColorSensor(
        width: scene.colorLens.width, height: scene.colorLens.height, noise: $0, seed: scene.options.seed)
    }
    let count = scene.colorLens.width * scene.colorLens.height
    rgb = .allocate(capacity: count * 3)
    alpha = .allocate(capacity: count)
    alpha.initialize(repeating: 0, count: count)
    distances = .allocate(capacity: scene.depthLens.width)
    bells = .allocate(capacity: scene.depthLens.width)
    bells.initialize(repeating: 0, count: scene.depthLens.width)
  }

  deinit {
    rgb.deallocate()
    alpha.deallocate()
    distances.deallocate()
    bells.deallocate()
  }

  /// Fills the frames of one instant, leaving out nil ones.
  package func render(
    _ instant: Int, color: UnsafeMutableRawBufferPointer?, depth: UnsafeMutableRawBufferPointer?,
    alpha alphaFrame: UnsafeMutableRawBufferPointer?
  ) {
    if let person = scene.person, let colorCanvas {
      let parts = scene.isEmpty(at: instant) ? [] : person.parts(scene.pose(at: instant))
      colorCanvas.draw(parts)
      if let depthCanvas, depthCanvas !== colorCanvas, depth != nil { depthCanvas.draw(parts) }
    }
    if color != nil || alphaFrame != nil {
      if let cast = scene.cast {
        exposure?.expose(cast, at: scene.time(at: instant), empty: scene.isEmpty(at: instant))
      }
      compose(instant)
    }
    if let alphaFrame, let base = alphaFrame.baseAddress {
      base.copyMemory(from: alpha, byteCount: min(alphaFrame.count, rgbCount / 3))
    }
    if let color { takePicture(instant, into: color) }
    guard let depth else { return }
    if let roughDepth { roughDepth.render(instant, into: depth) } else { sense(instant, into: depth) }
  }

  private var rgbCount: Int { scene.colorLens.width * scene.colorLens.height * 3 }

  /// Composites the person over the room with exactly the alpha that is delivered:
  /// (room · (255 − alpha) + person · alpha) / 255, rounded.
  private func compose(_ instant: Int) {
    let width = scene.colorLens.width
    scene.room.pixels.withUnsafeBufferPointer { room in
      guard let room = room.baseAddress else { return }
      rgb.update(from: room, count: rgbCount)
      if !dirty.isEmpty {
        for y in dirty.minY..<dirty.maxY {
          (alpha + y * width + dirty.minX).update(repeating: 0, count: dirty.maxX - dirty.minX)
        }
      }
      if let mirror, let cast = scene.cast {
        mirror.draw(scene.isEmpty(at: instant) ? [] : cast.figures(at: scene.time(at: instant)))
        mirror.blend(onto: rgb)
      }
      guard let (layers, box) = exposure.map({ ($0.layers, $0.box) }) ?? colorCanvas.map({ ($0.layers, $0.box) }),
        !box.isEmpty
      else { return }
      dirty = box
      for y in dirty.minY..<dirty.maxY {
        for i in y * width + dirty.minX..<y * width + dirty.maxX {
          let layer = layers[i]
          guard layer.w > 0 else { continue }
          let share = (layer.w * 255).nearestInteger
          alpha[i] = UInt8(truncatingIfNeeded: share)
          // Premultiplied colours are divided by the exact alpha and weighted by the rounded one.
          let weight = Float(share) / layer.w
          let rest = 255 - Float(share)
          let under = SIMD4<Float>(Float(rgb[3 * i]), Float(rgb[3 * i + 1]), Float(rgb[3 * i + 2]), 0)
          let mixed = (under * rest + layer * weight) * Float(1.0 / 255)
          rgb[3 * i] = UInt8(truncatingIfNeeded: mixed.x.nearestInteger)
          rgb[3 * i + 1] = UInt8(truncatingIfNeeded: mixed.y.nearestInteger)
          rgb[3 * i + 2] = UInt8(truncatingIfNeeded: mixed.z.nearestInteger)
        }
      }
    }
  }

  private func takePicture(_ instant: Int, into frame: UnsafeMutableRawBufferPointer) {
    let layout = scene.colorLayout
    dim()
    guard let colorSensor else { return CameraColorEncoding.write(rgb, as: layout, to: frame) }
    let mosaic = colorSensor.expose(rgb, frame: instant)
    if layout.format == .bayerGRBG8 {
      guard let base = frame.baseAddress, frame.count >= layout.byteCount else { return }
      base.copyMemory(from: mosaic, byteCount: layout.byteCount)
    } else {
      // May be overwritten, since every instant composes it again.
      colorSensor.demosaic(to: rgb)
      CameraColorEncoding.write(rgb, as: layout, to: frame)
    }
  }

  private func dim() {
    let share = Int32((scene.options.effects.light * 256).rounded(.toNearestOrEven))
    guard share != 256 else { return }
    for i in 0..<rgbCount { rgb[i] = UInt8(truncatingIfNeeded: min((Int32(rgb[i]) &* share &+ 128) >> 8, 255)) }
  }

  private func sense(_ instant: Int, into frame: UnsafeMutableRawBufferPointer) {
    guard let base = frame.baseAddress else { return }
    let lens = scene.depthLens
    let bytesPerRow = scene.depthLayout.bytesPerRow
    guard frame.count >= scene.depthLayout.byteCount else { return }
    let box = depthCanvas?.box ?? .empty
    scene.depthRoom.distances.withUnsafeBufferPointer { room in
      guard let room = room.baseAddress else { return }
      for y in 0..<lens.height {
        distances.update(from: room + y * lens.width, count: lens.width)
        if let depthCanvas, y >= box.minY, y < box.maxY {
          placePerson(depthCanvas, box, row: y, instant)
        }
        depthSensor.sense(distances, frame: instant, row: y, into: base + y * bytesPerRow)
      }
    }
  }

  private func placePerson(_ canvas: PersonCanvas, _ box: PixelBox, row y: Int, _ instant: Int) {
    let person = canvas.distances + y * canvas.lens.width
    let layers = canvas.layers + y * canvas.lens.width
    if let noise = scene.noise {
      let place = NoiseField.Place(seed: scene.options.seed, frame: instant, channel: 0x4841)
      noise.field.copyRow(y, of: place, count: canvas.lens.width, to: bells)
    }
    for x in box.minX..<box.maxX where person[x] > 0 {
      let color = layers[x]
      // Black hair reflects little of the projector's light: 5 % of its pixels have no measurement.
      let isLost = color.x + color.y + color.z < 110 && bells[x] < -1.645
      distances[x] = isLost ? 0 : person[x]
    }
  }
}
