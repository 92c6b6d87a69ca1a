import Parameters
import Support

/// In the order in which they act on a frame.
package enum PipelineParameters {
  package static let depth = DepthParameters()
  package static let mask = MaskParameters()
  package static let matte = MatteParameters()
  package static let composite = CompositeParameters()
  package static let all = declarations(mask.declarations)

  /// With masks of another program to choose from.
  /// - Throws: `.usage` for a stage whose name is taken.
  package static func all(with stages: [OutsideStage]) throws(RetakeError) -> [ParameterDeclaration] {
    guard !stages.isEmpty else { return all }
    let own = try mask.declarations.map { declaration throws(RetakeError) in
      PipelineNeeds.maskChoices.contains(declaration.name) ? try declaration.offering(stages) : declaration
    }
    return declarations(own + stages.flatMap(\.parameters))
  }

  private static func declarations(_ mask: [ParameterDeclaration]) -> [ParameterDeclaration] {
    depth.declarations + mask + matte.declarations + composite.declarations
  }
}
