import COpenCV
import FrameModel
import Networks
import Support

/// Finds faces and eyes with the YuNet network, from an ONNX file that the installed OpenCV runs
/// (OpenCV 4.6: the file of March 2022).
///
/// It was trained on colour, but gets grey pictures, so that all cameras look the same to it.
package final class YuNetFaceDetector: FaceDetector, @unchecked Sendable {
  // Unchecked because of the handle, which one thread at a time uses.
  package let name: String
  package let usefulSide = 240
  private let file: ONNXFile
  private let openCV: OpenCVLibrary
  private let smallestScore: Double
  private var network: OpaquePointer?
  private var size = (width: 0, height: 0)
  private var blueGreenRed: [UInt8] = []
  /// Until the file has proved to be a working network, errors blame the file.
  private var isMade = false
  /// The result of the last search.
  private var last: (image: GreyImage, readCount: Int, faces: [DetectedFace])?
  package private(set) var runCount = 0
  private static let mostFaces: Int32 = 64

  /// - Parameter smallestScore: 0 to 1.
  /// - Throws: `.unsupported` without OpenCV, `.notFound` and `.corrupt` for the file.
  package init(path: String, smallestScore: Double = 0.7) throws(RetakeError) {
    openCV = try OpenCVLibrary.load()
    file = try ONNXFile(
      path: path, hint: "give the ONNX file, for example yunet:/models/face_detection_yunet_2022mar.onnx")
    self.smallestScore = smallestScore
    name =
      "yunet opencv=\(openCV.version) file=\(file.name) "
      + "score=\(smallestScore)"
    // A file that loads may still be a different network: search an empty picture.
    let blank = try GreyImage(FrameLayout(.grey8, width: 320, height: 240), usefulSide: usefulSide)
    _ = try everyFace(in: blank)
    isMade = true
  }

  package func prepare(for picture: GreyImage) throws(RetakeError) {
    // Before there is a picture, an error is the file's fault.
    isMade = false
    defer { isMade = true }
    try open(for: picture)
  }

  deinit { if let network { openCV.functions.retake_yunet_close(network) } }

  /// The network's sides are multiples of 32; the margin is black. OpenCV's own padding differs between versions.
  private func open(for picture: GreyImage) throws(RetakeError) {
    let (width, height) = ((picture.width + 31) / 32 * 32, (picture.height + 31) / 32 * 32)
    guard size != (width, height) else { return }
    if let network { openCV.functions.retake_yunet_close(network) }
    var error = retake_cv_error()
    network = file.bytes.withUnsafeBytes {
      openCV.functions.retake_yunet_open(
        $0.baseAddress, $0.count, Int32(width), Int32(height), Float(smallestScore), modelTrialLimitSeconds, &error)
    }
    size = (0, 0)
    guard network != nil else { throw unusable(error) }
    size = (width, height)
    blueGreenRed = [UInt8](repeating: 0, count: width * height * 3)
  }

  private func unusable(_ error: retake_cv_error) -> RetakeError {
    if isMade {
      return RetakeError(
        .device, "The YuNet network \(file.path) failed: \(error.message).",
        hint: "run 'retake faces' later to detect faces again, or choose the detector lbp")
    }
    return RetakeError(
      .corrupt, "\(file.path) is not a YuNet network that this version of OpenCV can run: \(error.message).",
      hint: "OpenCV 4.6 can run face_detection_yunet_2022mar.onnx; or choose the detector lbp")
  }

  package func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace] {
    // The network searches the whole picture, and is asked for each tracked face: keep its result.
    if last?.image !== picture || last?.readCount != picture.readCount {
      last = nil
      last = (picture, picture.readCount, try everyFace(in: picture))
    }
    return last?.faces.filter { Self.isWanted($0.box, search) } ?? []
  }

  private func everyFace(in picture: GreyImage) throws(RetakeError) -> [DetectedFace] {
    try open(for: picture)
    let (width, height) = size
    runCount += 1
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let sample = picture.samples[y * picture.width + x]
        let i = 3 * (y * width + x)
        blueGreenRed[i] = sample
        blueGreenRed[i + 1] = sample
        blueGreenRed[i + 2] = sample
      }
    }
    var found = [retake_cv_face](repeating: retake_cv_face(), count: Int(Self.mostFaces))
    var error = retake_cv_error()
    let count = blueGreenRed.withUnsafeBufferPointer { samples in
      var view = retake_cv_picture(
        samples: samples.baseAddress, width: Int32(width), height: Int32(height), bytes_per_row: width * 3)
      return openCV.functions.retake_yunet_find(network, &view, &found, Self.mostFaces, &error)
    }
    guard count >= 0 else { throw unusable(error) }
    return found.prefix(Int(count)).compactMap(Self.face).sorted { $0.confidence > $1.confidence }
  }

  /// Nil for values that no face can have.
  private static func face(_ found: retake_cv_face) -> DetectedFace? {
    let numbers = [found.x, found.y, found.width, found.height, found.score]
    guard numbers.allSatisfy(\.isFinite), found.width >= 1, found.height >= 1 else { return nil }
    let box = FaceObservation.Box(
      x: Double(found.x), y: Double(found.y), width: Double(found.width), height: Double(found.height))
    // The person's right eye is on the left in the picture.
    let roll = EyeFinder.roll(
      left: (Double(found.right_eye_x), Double(found.right_eye_y)),
      right: (Double(found.left_eye_x), Double(found.left_eye_y)), faceWidth: box.width)
    return DetectedFace(box: box, confidence: Double(min(max(found.score, 0), 1)), roll: roll)
  }

  private static func isWanted(_ box: FaceObservation.Box, _ search: FaceSearch) -> Bool {
    switch search {
    case .everywhere: true
    case .sized(let sizes): sizes.allows(box)
    case .near(let near): box.overlap(with: near) > 0.2
    }
  }

  package func roll(in picture: GreyImage, of face: DetectedFace) throws(RetakeError) -> Double? { face.roll }

  package func remedies(in picture: GreyImage, hasDepth: Bool) -> [FaceRemedy] {
    guard smallestScore > 0.5 else { return [] }
    return [FaceRemedy(specification: "yunet:\(file.path)?score=0.5", effect: "accepts less certain faces")]
  }
}
