import FrameModel
import SceneRendering
import Support

/// One instant's frames as arrays.
struct ScenePicture: Equatable {
  var color: [UInt8]
  var depth: [UInt8]
  var alpha: [UInt8]

  var depth16: [UInt16] {
    (0..<depth.count / 2).map { UInt16(depth[2 * $0]) | UInt16(depth[2 * $0 + 1]) << 8 }
  }
}

/// Renders instants of one scene in any order.
struct SceneStudio {
  let scene: Scene
  private let renderer: SceneRenderer

  /// - Parameter change: changes options; depth frames are as large as colour frames unless it says otherwise.
  init(_ width: Int = 640, _ height: Int = 480, _ change: (inout SceneOptions) -> Void = { _ in }) throws {
    var options = SceneOptions()
    options.size = PictureSize(width, height)
    options.depthSize = options.size
    change(&options)
    scene = try Scene(options)
    renderer = SceneRenderer(scene)
  }

  func picture(_ instant: Int) -> ScenePicture {
    var picture = ScenePicture(
      color: [UInt8](repeating: 0, count: scene.colorLayout.byteCount),
      depth: [UInt8](repeating: 0, count: scene.depthLayout.byteCount),
      alpha: [UInt8](repeating: 0, count: scene.colorLayout.width * scene.colorLayout.height))
    picture.color.withUnsafeMutableBytes { color in
      picture.depth.withUnsafeMutableBytes { depth in
        picture.alpha.withUnsafeMutableBytes { alpha in
          renderer.render(instant, color: color, depth: depth, alpha: alpha)
        }
      }
    }
    return picture
  }
}

/// Order-dependent hash of bytes.
func sceneHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var hash = UInt64(bytes.count)
  var offset = 0
  while offset + 8 <= bytes.count {
    hash = SeededGenerator.mix(
      hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    offset += 8
  }
  for byte in bytes[offset...] { hash = SeededGenerator.mix(hash ^ UInt64(byte)) }
  return hash
}
