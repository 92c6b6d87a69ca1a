import Foundation
import FrameModel
import Segmentation
import Support
import TestSupport
import Testing

/// Files of published networks need no settings file.
@Suite struct KnownNetworksTests {
  /// As their publishers name them, with what the guide says of each.
  private static let published: [(file: String, size: PictureSize, kind: NetworkSettings.Kind?)] = [
    ("modnet.onnx", PictureSize(512, 512), nil),
    ("modnet_photographic_portrait_matting.onnx", PictureSize(512, 512), nil),
    ("modnet_webcam_portrait_matting.onnx", PictureSize(512, 512), nil),
    ("human_segmentation_pphumanseg_2023mar.onnx", PictureSize(192, 192), .matte),
    ("u2net_human_seg.onnx", PictureSize(320, 320), .matte), ("u2netp.onnx", PictureSize(320, 320), .matte),
    ("deeplabv3_resnet50.onnx", PictureSize(513, 513), nil), ("fcn-resnet50-12.onnx", PictureSize(520, 520), nil),
  ]

  @Test func `a file with a published name has its network's settings, and the guide names it`() throws {
    let guide = try String(contentsOfFile: Checkout.root + "/Sources/Pipeline/Guides/Segmentation.md", encoding: .utf8)
    for network in Self.published {
      let settings = try NetworkSettings.besides(model: "/models/" + network.file)
      #expect(settings.sizes[.balanced] == network.size, "\(network.file)")
      #expect(settings.kind == network.kind, "\(network.file)")
      #expect(settings.mean != NetworkSettings().mean, "\(network.file)")
      #expect(guide.contains("`\(network.file)`"), "\(network.file)")
    }
    let selfie = try NetworkSettings.besides(model: "selfie_segmentation.onnx")
    #expect(selfie.kind == .matte && selfie.sizes.isEmpty)
    #expect(try NetworkSettings.besides(model: "/models/mine.onnx") == NetworkSettings())
  }

  @Test func `a settings file beside the network counts instead`() throws {
    let folder = try TemporaryFolder()
    try "input: {size: 64x48}".write(toFile: folder.path("modnet.yaml"), atomically: false, encoding: .utf8)
    var expected = NetworkSettings()
    expected.sizes = [.balanced: PictureSize(64, 48)]
    #expect(try NetworkSettings.besides(model: folder.path("modnet.onnx")) == expected)
  }
}
