import Parameters

/// Number of distinct stages of each kind in a tree.
package struct StageCounts: Hashable, Sendable {
  package var depth: Int
  package var mask: Int
  package var blur: Int
  package var matte: Int
  package var composite: Int

  package init(depth: Int = 0, mask: Int = 0, blur: Int = 0, matte: Int = 0, composite: Int = 0) {
    (self.depth, self.mask, self.blur, self.matte, self.composite) = (depth, mask, blur, matte, composite)
  }

  /// Counts the stages for settings that share a tree, without making them. Settings that cannot be
  /// made count no stages.
  package init(_ settings: [ParameterSet], hasDepth: Bool, wanted: PipelineStages) {
    let keys = settings.compactMap { setting in
      (try? StagePlan(setting, wanted: wanted, hasDepth: hasDepth)).map {
        StageKeys(setting, $0, sharesBlur: settings.count > 1)
      }
    }
    self.init(
      depth: Set(keys.map(\.depth)).count, mask: Set(keys.map(\.mask)).count,
      blur: Set(keys.compactMap(\.blur)).count, matte: Set(keys.map(\.matte)).count,
      composite: Set(keys.map(\.composite)).count)
  }

  package static func += (counts: inout StageCounts, more: StageCounts) {
    counts.depth += more.depth
    counts.mask += more.mask
    counts.blur += more.blur
    counts.matte += more.matte
    counts.composite += more.composite
  }
}

/// CPU time of a setting's stages, including shared ones: what the setting would take on its own.
/// Nanoseconds summed over all frames, for stages that run on one thread.
package struct StageTimes: Hashable, Sendable {
  package var color = 0
  package var depth = 0
  package var mask = 0
  package var matte = 0
  package var frameCount = 0
}
