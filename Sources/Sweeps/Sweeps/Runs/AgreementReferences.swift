import MattePipeline
import Parameters
import Replay
import Support

/// The mattes that `agreement` and `outline-agreement` compare with. They depend on the recording and on what is
/// played of it, never on the settings.
///
/// No rule suits every recording, so there are three references, and the one counts whose outlines the picture
/// supports best (`ReferenceMatte.best`):
///
/// - `static-camera`, which learns the room from the first quarter of the frames, at most 30, and ignores faces;
/// - `desk`, by an empty start, by the faces, by what moves, or else by what is nearest;
/// - `desk` without faces and without an empty start, for recordings where the detector sees faces in the wallpaper.
package enum AgreementReferences {
  /// - Parameter frameCount: of what is played.
  package static func parameters(frameCount: Int) throws(RetakeError) -> [ParameterSet] {
    var room = try preset("static-camera")
    try room.set(PipelineParameters.mask.plateFrames.declaration.name, to: "\(max(1, min(30, frameCount / 4)))")
    let desk = try preset("desk")
    var still = try withoutFaces(desk)
    // Without faces, who sits still would be taken for the room.
    try still.set(PipelineParameters.mask.emptyStart.declaration.name, to: "false")
    return [try withoutFaces(room), desk, still]
  }

  private static func preset(_ name: String) throws(RetakeError) -> ParameterSet {
    try Preset.named(name).parameters(ReplaySession.declarations)
  }

  private static func withoutFaces(_ setting: ParameterSet) throws(RetakeError) -> ParameterSet {
    var setting = setting
    try setting.set("fault.faces-lost-from=0")
    try setting.set("fault.faces-lost-frames=1000000")
    return setting
  }
}
