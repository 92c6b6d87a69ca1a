import COpenCV
import FrameModel
import Support

/// Faces by one of OpenCV's cascades, their lean by its cascade of eyes.
package final class CascadeFaceDetector: FaceDetector, @unchecked Sendable {
  // Unchecked: see `CascadeFile`.
  package enum Kind: String, Sendable {
    case lbp
    case haar

    package var file: String {
      switch self {
      case .lbp: CascadeFile.folder + "/lbpcascades/lbpcascade_frontalface.xml"
      case .haar: CascadeFile.folder + "/haarcascades/haarcascade_frontalface_alt2.xml"
      }
    }
  }

  package static let eyesFile = CascadeFile.folder + "/haarcascades/haarcascade_eye.xml"

  package let name: String
  package let usefulSide = 320
  private let cascade: CascadeFile
  private let eyes: EyeFinder
  private let options: CascadeOptions

  /// - Parameter path: nil for Debian's own.
  /// - Throws: `.notFound` and `.corrupt` for its files.
  package init(_ kind: Kind, path: String? = nil, options: CascadeOptions = CascadeOptions()) throws(RetakeError) {
    cascade = try CascadeFile(path: path ?? kind.file)
    eyes = EyeFinder(try CascadeFile(path: Self.eyesFile))
    self.options = options
    let file = path.map { " file=\($0.split(separator: "/").last ?? "")" } ?? ""
    let minimum = options.minimum.map { "\($0)" } ?? "1/\(CascadeOptions.shareOfSide)"
    name =
      "\(kind.rawValue)-cascade opencv=\(String(cString: retake_cv_version()))\(file) scale=\(options.scale) "
      + "minimum=\(minimum) neighbors=\(options.neighbors)"
  }

  package func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace] {
    let matches: [CascadeFile.Match]
    switch search {
    case .everywhere:
      let all = FaceObservation.Box(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
      let smallest =
        options.minimum.map { $0 / picture.reduction } ?? min(picture.width, picture.height)
        / CascadeOptions.shareOfSide
      matches = try cascade.matches(
        in: picture, region: all, sides: (smallest, 0), scale: options.scale, neighbors: options.neighbors)
    case .near(let box):
      // A face that walks 2 m/s at a distance of 1 m moves by a third of its width from frame to frame.
      let margin = 0.4
      let region = FaceObservation.Box(
        x: box.x - margin * box.width, y: box.y - margin * box.height, width: box.width * (1 + 2 * margin),
        height: box.height * (1 + 2 * margin))
      matches = try cascade.matches(
        in: picture, region: region, sides: (Int(box.width * 0.75), Int(box.width * 1.33)), scale: Self.nearScale,
        neighbors: options.neighbors)
    }
    return matches.map {
      DetectedFace(box: $0.box, confidence: Double($0.votes) / Double($0.votes + options.neighbors))
    }
  }

  package func roll(in picture: GreyImage, of face: DetectedFace) throws(RetakeError) -> Double? {
    try eyes.roll(in: picture, face: face.box)
  }

  /// Sizes lie closer where only few of them are looked at, so that a box is steadier.
  private static let nearScale = 1.1
}

/// What a cascade's search can be told.
package struct CascadeOptions: Hashable, Sendable {
  /// From one size of face to the next.
  package var scale = 1.2
  /// Smallest side of a face, pixels of the colour frame; nil: a sixth of the shorter side.
  package var minimum: Int?
  /// Windows that must overlap on a face.
  package var neighbors = 3
  static let shareOfSide = 6

  package init() {}
}
