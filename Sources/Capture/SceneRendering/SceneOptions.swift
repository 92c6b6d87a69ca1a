import FrameModel

package struct SceneOptions: Hashable, Sendable {
  /// Of colour frames and alpha.
  package var size = PictureSize(640, 480)
  /// Of depth frames, which have the same field of view.
  package var depthSize = PictureSize(640, 480)
  package var colorFormat = PixelFormat.rgb24
  package var depthFormat = PixelFormat.depthMillimeters16
  /// Colour frames per second, which give an instant its time.
  package var rate = FrameRate.thirty
  /// Determines colours, movement and noise.
  package var seed: UInt64 = 1
  /// Else the sensors are ideal.
  package var noise = true
  /// Else the room is empty.
  package var person = true

  package init() {}
}
