import FrameModel
import Support

extension CameraPairRegistration {
  /// Why depth cannot be registered to colour, as the end of a sentence.
  struct Obstacle: Error {
    let reason: String
  }

  /// Builds the registration from both streams' intrinsics and the depth stream's extrinsics.
  /// - Throws: `.corrupt` for an invalid setting; a missing one is an obstacle.
  static func pair(_ depth: StreamDescription, _ color: StreamDescription?) throws(RetakeError) -> Result<
    CameraPairRegistration, Obstacle
  > {
    func failure(_ reason: String) -> Result<CameraPairRegistration, Obstacle> { .failure(Obstacle(reason: reason)) }
    let isRegistered = depth.settings.contains { setting in
      setting.name == "registered" && setting.value == "1"
        || setting.name == "mode" && setting.value.hasPrefix("registered ")
    }
    if isRegistered { return failure("it is already registered to colour") }
    guard let color else { return failure("there is no colour stream") }
    guard color.device == depth.device else { return failure("colour and depth come from different devices") }
    guard let depthLens = try CameraIntrinsics(depth) else {
      return failure("the recording lacks the depth camera's intrinsics (setting 'intrinsics')")
    }
    guard let colorLens = try CameraIntrinsics(color) else {
      return failure("the recording lacks the colour camera's intrinsics (setting 'intrinsics')")
    }
    guard let extrinsics = try CameraExtrinsics(depth) else {
      return failure("the recording lacks the extrinsics between the cameras (setting 'extrinsics-color' of depth)")
    }
    return .success(
      CameraPairRegistration(
        depth: depthLens, depthSize: (depth.layout.width, depth.layout.height), color: colorLens,
        colorSize: (color.layout.width, color.layout.height), extrinsics))
  }
}
