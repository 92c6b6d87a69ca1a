import COpenCV
import FrameModel
import Support

/// Finds faces with an OpenCV cascade, and their roll with OpenCV's eye cascade.
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

  /// - Parameter path: a cascade file; nil for Debian's own.
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
      // At 30 fps, a person walking at 2 m/s, 1 m away, moves a third of a face width per frame.
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

  /// A finer step makes boxes steadier, and only few sizes are searched.
  private static let nearScale = 1.1
}

package struct CascadeOptions: Hashable, Sendable {
  /// Ratio between successive face sizes.
  package var scale = 1.2
  /// Smallest side of a face, in pixels of the colour frame; nil for a sixth of its shorter side.
  package var minimum: Int?
  /// Overlapping windows that a face needs.
  package var neighbors = 3
  static let shareOfSide = 6

  package init() {}
}
