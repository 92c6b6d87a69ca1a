import FrameModel
import Support

/// Describes the masks kept under one key, without their pixels.
package struct KeptMaskStream: Hashable, Sendable {
  package let key: String
  package let width: Int
  package let height: Int
  /// The model's file name without its folder, such as "person.onnx".
  package let model: String
  package let network: String
  /// What a sample means, as the segmenter names it.
  package let answer: String
  /// All processing of the network's input and output, as readable text.
  package let settings: String
  /// `mask.quality` of the replay that made the masks; empty when unknown.
  package let quality: String

  package init(
    key: String, width: Int, height: Int, model: String, network: String, answer: String, settings: String,
    quality: String
  ) {
    self.key = key
    self.width = width
    self.height = height
    self.model = model
    self.network = network
    self.answer = answer
    self.settings = settings
    self.quality = quality
  }

  private static let streamName = "mask"
  private enum Name {
    static let model = "model"
    static let network = "network"
    static let answer = "answer"
    static let settings = "network-settings"
    static let quality = "quality"
  }

  func description(of color: StreamDescription) throws(RetakeError) -> StreamDescription {
    StreamDescription(
      name: Self.streamName, kind: .alpha, layout: try FrameLayout(.grey8, width: width, height: height),
      rate: color.rate, clock: color.clock, device: "segmentation of \(color.name)",
      settings: [
        .init(Name.model, model), .init(Name.network, network), .init(Name.answer, answer),
        .init(Name.settings, settings),
        .init(Name.quality, quality),
      ])
  }

  init?(key: String, _ stream: StreamDescription) {
    func setting(_ name: String) -> String { stream.settings.first { $0.name == name }?.value ?? "" }
    guard stream.kind == .alpha, stream.layout.format == .grey8, !setting(Name.network).isEmpty else { return nil }
    self.init(
      key: key, width: stream.layout.width, height: stream.layout.height, model: setting(Name.model),
      network: setting(Name.network), answer: setting(Name.answer), settings: setting(Name.settings),
      quality: setting(Name.quality))
  }

  /// Whether masks of both are interchangeable.
  func isLike(_ other: KeptMaskStream) -> Bool {
    (width, height) == (other.width, other.height) && (network, answer) == (other.network, other.answer)
  }
}

package struct KeptMaskSummary: Hashable, Sendable {
  package let stream: KeptMaskStream
  package var maskCount = 0
  package var byteCount = 0

  /// Sums saturate: an untrusted file can state any count, and a sparse file have any length.
  mutating func add(_ file: KeptMaskFile) {
    maskCount = Self.sum(maskCount, file.messageCount)
    byteCount = Self.sum(byteCount, file.byteCount)
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooLarge) = a.addingReportingOverflow(b)
    return isTooLarge ? .max : sum
  }
}

extension Recording {
  /// Masks kept beside the recording, by key. Unreadable files are left out.
  package func keptMasks() -> [KeptMaskSummary] {
    let keys = (try? Folder.names(in: folder.masksPath)) ?? []
    return keys.compactMap { key in
      var summary: KeptMaskSummary?
      for file in KeptMaskFile.all(in: folder, key: key) {
        guard let stream = file.stream(of: identity) else { continue }
        summary = summary ?? KeptMaskSummary(stream: stream)
        summary?.add(file)
      }
      return summary
    }
  }
}
