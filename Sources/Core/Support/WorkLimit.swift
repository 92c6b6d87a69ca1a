/// The largest pictures that Retake processes.
///
/// Memory and time of a pipeline, a registration or a background depend on the sizes that a file
/// claims, not on its length: 33 KB can claim a depth map of 11585x11585 pixels. Storing, verifying
/// and exporting unprocessed frames is bounded by `FrameLayout` alone.
package enum WorkLimit {
  /// 8192x4096, four times what a 4K camera sends.
  case picture
  /// 4096x2048, eight times what an Azure Kinect or a RealSense sends.
  case depth

  package var pixelCount: Int { self == .picture ? 1 << 25 : 1 << 23 }

  /// - Parameter what: owner of the pixels, as the subject of a sentence: "Stream 'depth'".
  /// - Throws: `.unsupported` for a larger picture.
  package func check(width: Int, height: Int, _ what: @autoclosure () -> String) throws(RetakeError) {
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard isTooLarge || count > pixelCount else { return }
    throw RetakeError(
      .unsupported,
      "\(what()) has \(self == .depth ? "depth maps" : "pictures") of \(width)x\(height) pixels, more than the "
        + "\(pixelCount) that Retake can process.",
      hint: "record the camera at a smaller size; 'retake export mcap' exports frames of any size unprocessed")
  }
}
