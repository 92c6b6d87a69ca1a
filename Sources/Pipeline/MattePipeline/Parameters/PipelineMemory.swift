import Parameters

/// Which pictures of the pipeline depend on frames before the one that they show, and which parameter makes them so.
///
/// Depth that is held between deliveries is no memory: a pipeline that begins where the depth in force arrived gives
/// the same pictures.
package struct PipelineMemory: Sendable {
  private struct Cause {
    let stage: PipelineStages
    let parameter: String
  }

  private let causes: [Cause]

  package init(_ parameters: ParameterSet) {
    let (depth, mask) = (PipelineParameters.depth, PipelineParameters.mask)
    let (matte, composite) = (PipelineParameters.matte, PipelineParameters.composite)
    let needs = PipelineNeeds(parameters)
    let kinds = needs.maskKinds
    var causes: [Cause] = []
    func add<Value>(_ stage: PipelineStages, _ parameter: Parameter<Value>, if remembers: Bool) {
      if remembers { causes.append(Cause(stage: stage, parameter: parameter.declaration.name)) }
    }
    add(.depth, depth.temporal, if: parameters[depth.temporal] != .none)
    // Which depth is nearest depends on the one in force.
    add(.depth, depth.lookAhead, if: parameters[depth.lookAhead] > 0)
    add(.depth, depth.persistence, if: parameters[depth.persistence] > 0)
    add(.mask, mask.movement, if: kinds.contains(.face) && parameters[mask.movement])
    add(.mask, mask.emptyStart, if: kinds.contains(.face) && parameters[mask.emptyStart])
    add(.mask, mask.plateFrames, if: kinds.contains(.plate) && needs.learnsPlate)
    add(.mask, mask.plateRenew, if: needs.hasPlate && parameters[mask.plateRenew] > 0)
    // The last face's distance stays.
    add(.mask, mask.kind, if: kinds.contains(.face))
    // What a stage of another program keeps is not known.
    add(.mask, mask.kind, if: kinds.contains(.outside))
    add(.mask, mask.every, if: kinds.contains(.segmentation) && parameters[mask.every] > 1)
    add(.matte, matte.temporal, if: parameters[matte.temporal] != nil)
    add(.matte, matte.still, if: parameters[matte.still] > 0)
    // Grey spans the depths since the start.
    add(.composite, composite.mix, if: parameters[composite.mix] > 0)
    add(.composite, composite.kind, if: parameters[composite.kind] == .faceColor)
    self.causes = causes
  }

  /// The pictures that depend on earlier frames: those of a stage with memory, and of all stages after it.
  package var stages: PipelineStages { remembered(from: .original) }

  /// The pictures that depend on what stages from `first` on did with earlier frames.
  /// - Parameter first: a single stage.
  package func remembered(from first: PipelineStages) -> PipelineStages {
    let cause = causes.first { $0.stage.rawValue >= first.rawValue }
    return cause.map { PipelineStages(rawValue: PipelineStages.all.rawValue & ~($0.stage.rawValue - 1)) } ?? []
  }

  /// The first parameter with memory; nil for none.
  package var parameter: String? { causes.first?.parameter }
}

extension ParameterSet {
  /// The first stage whose parameters differ; nil if none does. Parameters of no stage, such as faults, do not count.
  package func firstStage(thatDiffersFrom old: ParameterSet) -> PipelineStages? {
    let groups = groupsThatDiffer(from: old)
    let stages: [(String, PipelineStages)] = [
      ("depth", .depth), ("mask", .mask), ("matte", .matte), ("composite", .composite),
    ]
    return stages.first { groups.contains($0.0) }?.1
  }
}
