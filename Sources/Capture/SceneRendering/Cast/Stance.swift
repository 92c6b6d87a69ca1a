/// Where a person is, and how far through a step.
struct Stance: Sendable {
  var x: Float
  var z: Float
  /// Height of the pit of the neck; y grows downwards.
  var neckY: Float
  /// 0 faces the camera, π / 2 the image's right, π turns the back.
  var heading: Double
  /// Steps taken, in pairs.
  var gait: Double
  /// 0 stands, 1 walks.
  var stride: Float
  var isSeated: Bool
  /// Seconds, for small movements.
  var time: Double
  /// Direction and strength in which loose hair and cloth swing, metres of x a second.
  var drift: Float
}
