import RetakeKit

/// The share of each frame that is the person, by everything nearer than a distance.
func personShares(_ recording: Recording, nearerThan meters: Double) throws -> [Double] {
  var parameters = try Parameters(preset: "truedepth-backdrop")
  try parameters.set("mask.kind", to: "cutoff")
  try parameters.set("mask.cutoff", to: meters)
  try parameters.set("matte.blur", to: 0)
  var shares: [Double] = []
  try Replay(recording, parameters).run(taps: [.matte]) { frame in
    guard let matte = frame[.matte] else { return }
    let sum = matte.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
    shares.append(Double(sum) / Double(255 * matte.width * matte.height))
  }
  return shares
}
