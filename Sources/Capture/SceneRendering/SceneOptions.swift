import FrameModel

package struct SceneOptions: Hashable, Sendable {
  /// Size of colour frames and alpha.
  package var size = PictureSize(640, 480)
  /// Size of depth frames, which have the same field of view.
  package var depthSize = PictureSize(640, 480)
  package var colorFormat = PixelFormat.rgb24
  package var depthFormat = PixelFormat.depthMillimeters16
  /// Colour frames per second; converts an instant to a time.
  package var rate = FrameRate.thirty
  /// Determines colours, movement and noise.
  package var seed: UInt64 = 1
  /// Simulates sensor noise; without it the sensors are ideal.
  package var noise = true
  /// Shows a person; without it the room is empty.
  package var person = true

  package var scene = SceneName.waving
  package var effects = SceneEffects()

  package init() {}
}
