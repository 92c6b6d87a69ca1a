import Support

extension Script {
  private static let back = PortableMath.pi
  private static let right = PortableMath.pi / 2

  /// The people of a scene. Effects of the scene that concern one person alone are set here.
  static func people(of scene: SceneName, _ effects: SceneEffects) -> [Script] {
    var people: [Script]
    switch scene {
    case .waving: people = []
    case .desk: people = [deskPerson]
    case .walk:
      people = [
        Script(
          keys: [
            Key(0, -2.55, 4.5, right), Key(1.0, -1.4, 4.0, 0.5), Key(3.2, -0.1, 2.1, 0.1), Key(3.9, -0.1, 2.0, 0.0),
            Key(4.7, 0.0, 2.0, 0.85 * back), Key(5.4, 0.1, 2.1, 0.85 * back), Key(7.4, 2.2, 3.0, 0.62 * back),
          ], period: 7.6)
      ]
    case .crossing:
      people = [
        Script(
          keys: [
            Key(0, -2.1, 3.0, right), Key(2.2, 0.2, 2.7, right), Key(3.0, 0.2, 2.7, 0.2),
            Key(3.9, 0.3, 2.7, 0.9 * right),
            Key(5.9, 2.3, 3.1, right),
          ], period: 7.2),
        Script(
          keys: [
            Key(0.3, 1.75, 2.1, -right), Key(2.7, 0.0, 2.0, -right), Key(3.4, -0.1, 2.0, -0.9 * back),
            Key(4.2, -0.2, 2.1, -right), Key(6.2, -1.8, 2.4, -right),
          ], period: 7.2, blackCloth: true),
        Script(keys: [Key(4.4, -1.0, 1.1, right), Key(6.6, 1.1, 1.2, right)], period: 7.2, looseHair: true),
      ]
    case .hard:
      people = [
        deskPerson,
        Script(
          keys: [
            Key(0.4, 2.4, 3.4, -right), Key(3.0, -0.6, 3.0, -right), Key(3.8, -0.7, 3.0, 0),
            Key(4.8, -0.6, 3.0, 0.9 * right),
            Key(7.4, 2.4, 3.6, right),
          ], period: 8.4, blackCloth: true),
      ]
    }
    for i in people.indices {
      people[i].looseHair = people[i].looseHair || effects.looseHair
      people[i].looseCloth = people[i].looseCloth || (effects.looseCloth && !people[i].blackCloth)
      people[i].blackCloth = people[i].blackCloth || effects.blackCloth
    }
    return people
  }

  private static var deskPerson: Script {
    Script(
      keys: [
        Key(0, 1.05, 1.25, -0.8), Key(1.2, 0.06, 1.05, -0.2), Key(3.0, 0.02, 0.95, 0.15),
        Key(4.0, 0.05, 1.0, 0.9 * back),
        Key(5.4, 0.06, 1.05, back), Key(6.2, 0.04, 1.0, 0.5 * back), Key(7.0, 0.0, 0.98, 0), Key(7.8, -0.1, 1.1, -0.6),
        Key(8.3, -0.2, 1.2, -1.2),
      ], period: 8.4, isSeated: true)
  }
}
