import FrameModel
import Support
import Synchronization

/// Detects faces for what is shown. While a recording detects them too, its results are used instead, so that each frame
/// is examined once.
final class BorrowedFaces: FaceObserver {
  private let own: any FaceObserver
  private let state = Mutex<(lender: FaceRelay?, last: [FaceObservation])>((nil, []))

  init(_ own: any FaceObserver) { self.own = own }

  var detector: String { own.detector }

  /// - Parameter lender: the recording's detector; nil at its end.
  func borrow(from lender: FaceRelay?) { state.withLock { $0 = (lender, $0.last) } }

  func skip(_ frameCount: Int) { own.skip(frameCount) }

  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    let borrowed: [FaceObservation]? = state.withLock { state in
      guard let lender = state.lender else { return nil }
      state.last = lender.take() ?? state.last
      return state.last
    }
    if let borrowed { return borrowed }
    let faces = try own.faces(in: color, depth: depth)
    state.withLock { $0.last = faces }
    return faces
  }
}
