import Kernels
import Parameters

/// How the person is found. Raw values are those of `mask.kind` and `mask.second`.
package enum MaskKind: String, ParameterChoice {
  case face, cutoff
  case highPass = "high-pass"
  case sharpHighPass = "sharp-high-pass"
  case bandPass = "band-pass"
  case plate, segmentation, all
  /// A stage of another program, which the parameter's value names.
  case outside

  package static let allCases: [MaskKind] = [
    .face, .cutoff, .highPass, .sharpHighPass, .bandPass, .plate, .segmentation, .all,
  ]

  package init?(_ value: ParameterValue) {
    guard case .text(let text) = value, text != "none" else { return nil }
    self = MaskKind(rawValue: text) ?? .outside
  }

  /// For `outside`, the stage tells.
  var needsDepth: Bool { self != .segmentation && self != .all && self != .outside }
  /// Whether it is soft and made from disparity, 1/m.
  var isPass: Bool { self == .highPass || self == .sharpHighPass || self == .bandPass }
}

/// What is behind the person, or in its place. Raw values are those of `composite.kind`.
package enum CompositeKind: String, ParameterChoice {
  case backdrop
  case faceColor = "face-color"
  case comic, blur, filter

  var needsMask: Bool { self != .filter }
}

/// Raw values are those of `mask.quality`: which input of a network is used (D.19).
package enum MaskQuality: String, ParameterChoice {
  case balanced, fast, accurate
}

/// Raw values are those of `matte.refine`.
package enum MatteRefinement: String, ParameterChoice {
  case none, color
}

/// A segmentation network as parameters name it.
package struct NetworkChoice: Hashable, Sendable {
  /// The path of an ONNX file; empty for none.
  package let model: String
  package let quality: MaskQuality

  package init(_ parameters: ParameterSet) {
    model = parameters[PipelineParameters.mask.model]
    quality = parameters[PipelineParameters.mask.quality]
  }
}

/// Raw values are those of `composite.without-background`.
package enum WithoutBackground: String, ParameterChoice {
  case color, video
}

/// Raw values are those of `composite.without-mask`.
package enum WithoutMask: String, ParameterChoice {
  case skip, video
}

/// Raw values are those of `composite.foreground`.
package enum ForegroundKind: String, ParameterChoice {
  case video, estimate
}

/// Raw values are those of `composite.light`.
package enum LightSpace: String, ParameterChoice {
  case srgb, linear
}

// Choices that the kernels make.
extension BackgroundPlate.Hole: ParameterChoice {}
extension DepthConverter.Viewpoint: ParameterChoice {}
extension Feather: ParameterChoice {}
extension MaskCombination.Rule: ParameterChoice {}
extension MaskPieces.Kept: ParameterChoice {}
extension MatteSmoothing.Rule: ParameterChoice {}
extension PictureFit: ParameterChoice {}
extension PixelColors.Spill: ParameterChoice {}
extension ScaleKind: ParameterChoice {}

/// What the pipeline has to make for each frame, by its parameters.
package struct PipelineNeeds: Hashable, Sendable {
  package var maskKinds: [MaskKind]
  package var needsDepth: Bool
  package var needsMask: Bool { !maskKinds.isEmpty }
  /// Whether the mask is made of depth.
  package var maskNeedsDepth: Bool
  package var needsSegmentation: Bool { maskKinds.contains(.segmentation) }
  /// Whether a mask may be what is nearer than the empty scene, and whether that is learned.
  package var (hasPlate, learnsPlate) = (false, false)
  package var depthExtras: DepthExtras = []

  package init(_ parameters: ParameterSet) {
    maskKinds = []
    maskNeedsDepth = false
    if parameters[PipelineParameters.composite.kind].needsMask {
      let second = parameters[PipelineParameters.mask.second]
      maskKinds = [parameters[PipelineParameters.mask.kind]] + (second.map { [$0] } ?? [])
      maskNeedsDepth =
        maskKinds.contains(where: \.needsDepth)
        || Self.maskChoices.contains { parameters.outsideStage(chosenBy: $0)?.needsDepth == true }
    }
    let beginsEmpty = maskKinds.contains(.face) && parameters[PipelineParameters.mask.emptyStart]
    hasPlate = maskKinds.contains(.plate) || beginsEmpty
    learnsPlate = beginsEmpty || hasPlate && parameters[PipelineParameters.mask.plate].isEmpty
    needsDepth = maskNeedsDepth || parameters[PipelineParameters.composite.mix] > 0
    if maskKinds.contains(where: \.isPass) { depthExtras.insert(.disparity) }
    if maskKinds.contains(where: \.needsDepth), parameters[PipelineParameters.mask.holes] == .near {
      depthExtras.insert(.holes)
    }
  }
}

extension PipelineNeeds {
  /// Names of the parameters that choose masks.
  package static let maskChoices = [
    PipelineParameters.mask.kind.declaration.name, PipelineParameters.mask.second.declaration.name,
  ]

  /// The setting that requires depth, such as "mask.kind=face"; nil if none does.
  package static func depthParameter(_ parameters: ParameterSet) -> String? {
    let needs = PipelineNeeds(parameters)
    if needs.needsMask {
      for name in maskChoices {
        guard let value = parameters.value(named: name), let kind = MaskKind(value) else { continue }
        guard kind.needsDepth || parameters.outsideStage(chosenBy: name)?.needsDepth == true else { continue }
        return "\(name)=\(value)"
      }
    }
    guard needs.needsDepth else { return nil }
    let mix = PipelineParameters.composite.mix.declaration.name
    return "\(mix)=\(parameters.value(named: mix)?.description ?? "")"
  }

  package static let withoutDepthHint =
    "without depth, use --preset virtual-background --set mask.model=FILE.onnx with a segmentation network's "
    + "file, or --preset avcam-filter --set composite.mix=0"
}
