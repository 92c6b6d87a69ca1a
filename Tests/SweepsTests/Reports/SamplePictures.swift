import FrameModel
import Media
import Support
import Sweeps

/// Drawn pictures of a person before a wall, as settings of different worth cut them out.
enum SamplePictures {
  static let width = 320
  static let height = 240

  /// For each role one frame of each recording.
  static func all(_ settings: [(role: ReportPicture.Role, setting: Int)], recordings: Int) throws -> [ReportPicture] {
    try settings.flatMap { role, setting in
      try (0..<recordings).map { recording in
        let (composite, matte) = try pictures(role, recording)
        return ReportPicture(
          role: role, setting: setting, recording: recording, frame: 60 + 40 * recording, composite: composite,
          matte: matte)
      }
    }
  }

  private static func pictures(_ role: ReportPicture.Role, _ recording: Int) throws -> (
    composite: [UInt8], matte: [UInt8]
  ) {
    let softness = role == .best ? 3.0 : role == .current ? 1.2 : 14.0
    let shift = role == .worst ? 9.0 : 0
    var composite: [UInt8] = []
    var matte: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (px, py) = (Double(x) - 160 - shift - 20 * Double(recording), Double(y))
        let head = 40 - (px * px + (py - 82) * (py - 82) * 0.7).squareRoot()
        let body = 84 - (px * px + (py - 250) * (py - 250) * 0.45).squareRoot()
        var distance = max(head, body)
        if role == .current { distance += 3 * PortableMath.sin(Double(x) * 0.9) * PortableMath.sin(py * 0.7) }
        let alpha = min(1, max(0, 0.5 + distance / softness))
        let skin = head > body - 6
        let person = skin ? [214.0, 165, 138] : [62.0, 92 + py * 0.1, 138]
        let wall = recording == 0 ? [150 + py * 0.2, 186.0, 160 - py * 0.2] : [200.0 - py * 0.3, 190, 210]
        for channel in 0..<3 { composite.append(UInt8(person[channel] * alpha + wall[channel] * (1 - alpha))) }
        matte.append(UInt8(alpha * 255))
      }
    }
    return (
      try composite.withUnsafeBytes { try PNGEncoder.encode($0, width: width, height: height, as: .rgb8) },
      try matte.withUnsafeBytes { try PNGEncoder.encode($0, width: width, height: height, as: .grey8) }
    )
  }
}
