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
  private let kind: Kind
  private let path: String?
  private let options: CascadeOptions

  /// - Parameter path: a cascade file; nil for Debian's own.
  /// - Throws: `.notFound` and `.corrupt` for its files.
  package init(_ kind: Kind, path: String? = nil, options: CascadeOptions = CascadeOptions()) throws(RetakeError) {
    cascade = try CascadeFile(path: path ?? kind.file)
    eyes = EyeFinder(try CascadeFile(path: Self.eyesFile))
    self.kind = kind
    self.path = path
    self.options = options
    let file = path.map { " file=\($0.split(separator: "/").last ?? "")" } ?? ""
    let minimum = options.minimum.map { "\($0)" } ?? "depth|1/\(GreyImage.shareOfFaceWithoutDepth)"
    name =
      "\(kind.rawValue)-cascade opencv=\(cascade.version)\(file) scale=\(options.scale) "
      + "minimum=\(minimum) neighbors=\(options.neighbors)"
  }

  package func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace] {
    let matches =
      switch search {
      case .everywhere: try matchesEverywhere(in: picture)
      case .sized(let sizes): try matches(in: picture, sizes)
      case .near(let box): try matches(in: picture, near: box)
      }
    return matches.map {
      DetectedFace(box: $0.box, confidence: Double($0.votes) / Double($0.votes + options.neighbors))
    }
  }

  private func matches(in picture: GreyImage, near box: FaceObservation.Box) throws(RetakeError) -> [CascadeFile.Match]
  {
    // At 30 fps, a person walking at 2 m/s, 1 m away, moves a third of a face width per frame.
    let margin = 0.4
    let region = FaceObservation.Box(
      x: box.x - margin * box.width, y: box.y - margin * box.height, width: box.width * (1 + 2 * margin),
      height: box.height * (1 + 2 * margin))
    let search = CascadeFile.Search(
      region: region, sides: (box.width * 0.75, box.width * 1.33), scale: Self.nearScale,
      zoom: zoom(box.width))
    return try cascade.matches(in: picture, search, neighbors: options.neighbors)
  }

  private func matchesEverywhere(in picture: GreyImage) throws(RetakeError) -> [CascadeFile.Match] {
    let smallest = smallest(in: picture) ?? Double(picture.smallestFaceWithoutDepth)
    let all = FaceObservation.Box(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    var windows: [FaceObservation.Box] = []
    for zoom in GreyImage.Zoom.allCases {
      let range = range(zoom, from: smallest)
      guard !range.isEmpty else { continue }
      windows += try cascade.windows(
        in: picture,
        .init(
          region: all, sides: (range.lowerBound, zoom == .none ? 0 : range.upperBound), scale: options.scale, zoom: zoom
        ))
    }
    return try cascade.group(windows, neighbors: options.neighbors)
  }

  private func matches(in picture: GreyImage, _ sizes: FaceSizes) throws(RetakeError) -> [CascadeFile.Match] {
    let window = Double(cascade.window)
    let smallest = smallest(in: picture) ?? 0
    var windows: [FaceObservation.Box] = []
    for zoom in GreyImage.Zoom.allCases {
      let range = range(zoom, from: smallest)
      // The sizes that OpenCV tries, two at a time.
      let sides = Self.sides(window, scale: options.scale).map { $0 / Double(zoom.rawValue) }.filter {
        range.contains($0) && $0 < Double(picture.longerSide)
      }
      for first in stride(from: 0, to: sides.count, by: 2) {
        let (low, high) = (sides[first], sides[min(first + 1, sides.count - 1)])
        for region in sizes.regions(low...high) {
          windows += try cascade.windows(
            in: picture, .init(region: region.box, sides: (low, high), scale: options.scale, zoom: zoom)
          ).filter { sizes.contains(region, middleOf: $0) && sizes.allows($0) }
        }
      }
    }
    return try cascade.group(windows, neighbors: options.neighbors)
  }

  package func remedies(in picture: GreyImage, hasDepth: Bool) -> [FaceRemedy] {
    let scale = Double(picture.reduction)
    let found = Int((Self.leastWindows * Double(cascade.window) * scale).rounded(.up))
    let searched = options.minimum ?? (hasDepth ? found : picture.smallestFaceWithoutDepth * picture.reduction)
    var remedies: [FaceRemedy] = []
    if searched > found {
      let own = path.map { ":\($0)" } ?? ""
      remedies.append(
        FaceRemedy(
          specification: "\(kind.rawValue)\(own)?minimum=\(found)",
          effect: "finds faces from \(found) pixels on instead of \(searched)"))
    }
    switch kind {
    case .lbp: remedies.append(FaceRemedy(specification: "haar", effect: "is slower and finds more"))
    case .haar:
      remedies.append(
        FaceRemedy(specification: "yunet:FILE.onnx", effect: "needs a network and also finds turned faces"))
    }
    return remedies
  }

  private func smallest(in picture: GreyImage) -> Double? {
    options.minimum.map { Double($0) / Double(picture.reduction) }
  }

  /// The sides that are searched at an enlargement, in pixels of the searched picture.
  ///
  /// OpenCV moves windows in steps of two pixels up to twice the cascade's window, and misses most faces there.
  private func range(_ zoom: GreyImage.Zoom, from smallest: Double) -> Range<Double> {
    let window = Double(cascade.window)
    let range =
      switch zoom {
      case .none: 2 * window..<Double.infinity
      case .double: window..<2 * window
      case .fourfold: Self.leastWindows * window..<window
      }
    return range.clamped(to: max(smallest, 0)..<Double.infinity)
  }

  private func zoom(_ side: Double) -> GreyImage.Zoom {
    GreyImage.Zoom.allCases.first { range($0, from: 0).contains(side) } ?? .fourfold
  }

  /// Faces of this many windows show too little to be told from other things, however enlarged.
  private static let leastWindows = 0.74

  private static func sides(_ window: Double, scale: Double) -> [Double] {
    var sides: [Double] = []
    var factor = 1.0
    while window * factor < Double(2 * FrameLayout.largestSide) {
      sides.append((window * factor).rounded(.toNearestOrEven))
      factor *= scale
    }
    return sides
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
  /// Smallest side of a face, in pixels of the colour frame; nil for what depth allows, and without
  /// depth a share of the frame's shorter side.
  package var minimum: Int?
  /// Overlapping windows that a face needs.
  package var neighbors = 3
}
