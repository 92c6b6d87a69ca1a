import Parameters

/// How the person is found. Raw values are those of `mask.kind` and `mask.second`.
package enum MaskKind: String, CaseIterable, Sendable {
  case face, cutoff
  case highPass = "high-pass"
  case sharpHighPass = "sharp-high-pass"
  case bandPass = "band-pass"
  case plate, segmentation, all

  var needsDepth: Bool { self != .segmentation && self != .all }
  /// Whether it is soft and made from disparity, 1/m.
  var isPass: Bool { self == .highPass || self == .sharpHighPass || self == .bandPass }
}

/// What is behind the person, or in its place. Raw values are those of `composite.kind`.
package enum CompositeKind: String, CaseIterable, Sendable {
  case backdrop
  case faceColor = "face-color"
  case comic, blur, filter

  var needsMask: Bool { self != .filter }
}

/// What the pipeline has to make for each frame, by its parameters.
package struct PipelineNeeds: Hashable, Sendable {
  package var maskKinds: [MaskKind]
  package var needsDepth: Bool
  package var needsMask: Bool { !maskKinds.isEmpty }
  package var needsSegmentation: Bool { maskKinds.contains(.segmentation) }
  package var depthExtras: DepthExtras = []

  package init(_ parameters: ParameterSet) {
    let composite = CompositeKind(rawValue: parameters[PipelineParameters.compositeKind]) ?? .backdrop
    maskKinds = []
    if composite.needsMask {
      let names = [parameters[PipelineParameters.maskKind], parameters[PipelineParameters.maskSecond]]
      maskKinds = names.compactMap(MaskKind.init)
    }
    needsDepth = maskKinds.contains(where: \.needsDepth) || parameters[PipelineParameters.mix] > 0
    if maskKinds.contains(where: \.isPass) { depthExtras.insert(.disparity) }
    if maskKinds.contains(where: \.needsDepth), HoleRule(parameters) == .near { depthExtras.insert(.holes) }
  }
}

extension PipelineNeeds {
  /// The setting that requires depth, such as "mask.kind=face"; nil if none does.
  package static func depthParameter(_ parameters: ParameterSet) -> String? {
    let needs = PipelineNeeds(parameters)
    for parameter in needs.needsMask ? [PipelineParameters.maskKind, PipelineParameters.maskSecond] : [] {
      let kind = parameters[parameter]
      if MaskKind(rawValue: kind)?.needsDepth == true { return "\(parameter.declaration.name)=\(kind)" }
    }
    guard needs.needsDepth else { return nil }
    let mix = PipelineParameters.mix.declaration.name
    return "\(mix)=\(parameters.value(named: mix)?.description ?? "")"
  }

  package static let withoutDepthHint =
    "without depth, use --preset virtual-background --set mask.model=FILE.onnx with a segmentation network's "
    + "file, or --preset avcam-filter --set composite.mix=0"
}
