import Support

struct SceneLook: Sendable {
  let skin: Vector3
  var hair: Vector3
  let iris: Vector3
  var cloth: Vector3
  var stripe: Vector3
  let wall: Vector3
  let sofa: Vector3
  let curtain: Vector3
  let rug: Vector3

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4C4F_4F4B))
    func pick(_ choices: [Vector3]) -> Vector3 { choices[generator.next(below: choices.count)] }
    skin = pick([
      Vector3(0.91, 0.72, 0.60), Vector3(0.86, 0.66, 0.53), Vector3(0.80, 0.60, 0.46),
      Vector3(0.93, 0.76, 0.66),
    ])
    hair = pick([
      Vector3(0.20, 0.13, 0.09), Vector3(0.13, 0.10, 0.09), Vector3(0.28, 0.17, 0.09),
      Vector3(0.17, 0.11, 0.07),
    ])
    iris = pick([Vector3(0.33, 0.21, 0.12), Vector3(0.25, 0.38, 0.45), Vector3(0.30, 0.36, 0.22)])
    let clothes: [(Vector3, Vector3)] = [
      (Vector3(0.20, 0.36, 0.55), Vector3(0.92, 0.90, 0.84)),
      (Vector3(0.55, 0.20, 0.22), Vector3(0.94, 0.84, 0.66)),
      (Vector3(0.22, 0.44, 0.36), Vector3(0.90, 0.88, 0.76)),
      (Vector3(0.76, 0.55, 0.22), Vector3(0.28, 0.25, 0.32)),
      (Vector3(0.42, 0.36, 0.54), Vector3(0.88, 0.84, 0.90)),
    ]
    (cloth, stripe) = clothes[generator.next(below: clothes.count)]
    wall = pick([
      Vector3(0.76, 0.79, 0.76), Vector3(0.82, 0.77, 0.68), Vector3(0.70, 0.76, 0.82),
      Vector3(0.80, 0.74, 0.74),
    ])
    sofa = pick([Vector3(0.46, 0.50, 0.44), Vector3(0.52, 0.40, 0.34), Vector3(0.36, 0.42, 0.52)])
    curtain = pick([Vector3(0.86, 0.82, 0.74), Vector3(0.62, 0.70, 0.72), Vector3(0.78, 0.62, 0.52)])
    rug = pick([Vector3(0.58, 0.30, 0.26), Vector3(0.30, 0.38, 0.50), Vector3(0.50, 0.46, 0.34)])
  }
}
