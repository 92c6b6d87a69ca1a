import FrameModel
import Kernels
import RecordingStore
import Support

/// What a recording says of lenses and places, for people and as JSON.
struct CalibrationText {
  private let streams: [StreamDescription]
  private let isStored: Bool
  private var depth: StreamDescription? { streams.first { $0.kind == .depth } }
  private var color: StreamDescription? { streams.first { $0.kind == .color } }

  init(_ recording: Recording) {
    streams = recording.streams
    isStored = recording.calibrationKey != nil
  }

  /// Empty for a recording without a calibration.
  var lines: [String] {
    var lines: [String] = []
    for stream in streams {
      // An invalid setting does not keep anyone from seeing the rest.
      guard let lens = try? CameraIntrinsics(stream) else { continue }
      lines.append("calibration of \(stream.name): " + Self.sentence(lens))
    }
    if let pose = depth.flatMap({ try? CameraExtrinsics($0) }) {
      let t = pose.translationMillimeters.map { Format.decimals($0, 1) }
      lines.append("depth to colour: moved by \(t[0]) \(t[1]) \(t[2]) mm, turned by \(Self.degrees(pose))°")
    }
    if !lines.isEmpty, let depth { lines.append("replays: " + registration(depth).sentence) }
    return lines
  }

  private static func sentence(_ lens: CameraIntrinsics) -> String {
    func number(_ term: CameraIntrinsics.Term) -> String { Format.decimals(lens[term], 1) }
    let isPlain = lens.distortion.allSatisfy { $0 == 0 }
    return "focal length \(number(.fx)) \(number(.fy)), centre \(number(.cx)) \(number(.cy)) px, "
      + (isPlain
        ? "no distortion" : "distortion \(lens.distortion.map { Format.decimals($0, 4) }.joined(separator: " "))")
  }

  /// The angle of the rotation, from the vector part of the quaternion: half of it for small angles.
  private static func degrees(_ pose: CameraExtrinsics) -> String {
    let q = pose.quaternion
    let sine = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).squareRoot()
    return Format.decimals(2 * PortableMath.atan2(sine, q[3]) * 180 / PortableMath.pi, 2)
  }

  private struct Registration {
    var name: String
    var sentence: String
  }

  private func registration(_ depth: StreamDescription) -> Registration {
    guard let color else { return Registration(name: "none", sentence: "there is no colour to register depth to") }
    do throws(RetakeError) {
      _ = try DepthConverter(depth, color: color, viewpoint: .color, laysPairs: true)
      return Registration(name: "computed", sentence: "depth is registered to colour")
    } catch {
      let isRegistered = depth.settings[StreamCalibrations.registeredName] == "1"
      return isRegistered
        ? Registration(name: "recorded", sentence: "depth lies over colour already")
        : Registration(name: "none", sentence: error.message)
    }
  }

  /// Nil for a recording without a calibration.
  var json: JSONObject? {
    guard !lines.isEmpty else { return nil }
    let lenses = streams.compactMap { stream -> JSONObject? in
      guard let lens = try? CameraIntrinsics(stream) else { return nil }
      return JSONObject([
        "stream": stream.name, "width": stream.layout.width, "height": stream.layout.height, "fx": lens[.fx],
        "fy": lens[.fy], "cx": lens[.cx], "cy": lens[.cy], "distortion": lens.distortion,
      ])
    }
    let pose = depth.flatMap { try? CameraExtrinsics($0) }
    return JSONObject([
      "cameras": lenses,
      "depth_to_color": pose.map {
        JSONObject(["rotation": $0.rotation, "translation_mm": $0.translationMillimeters])
      },
      "registration": depth.map { registration($0).name },
      "is_given_later": isStored,
    ])
  }
}
