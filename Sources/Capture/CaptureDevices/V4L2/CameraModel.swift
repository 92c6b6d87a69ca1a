import FrameModel

/// What V4L2 does not report of a camera and its model says: Intel's RealSense D400 series.
package struct CameraModel: Hashable, Sendable {
  package let isRealSense: Bool
  /// Micrometres per depth count as the camera leaves the factory; nil for an unknown model.
  package let depthUnit: Int?
  private static let d405 = "0b5b"

  package init(_ capability: VideoCapability, usbProduct: String?) {
    isRealSense = capability.card.contains("RealSense")
    depthUnit = isRealSense ? (usbProduct == Self.d405 ? 100 : 1000) : nil
  }

  /// The kind of a format's streams. RealSense's 8-bit pictures are infrared.
  func kind(of format: CameraFormat) -> StreamKind {
    isRealSense && format.pixels == .grey8 ? .infrared : format.kind
  }
}
