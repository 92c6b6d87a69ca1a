struct PlayPlace: Comparable {
  var pass: Int
  var step: Int

  static func < (a: PlayPlace, b: PlayPlace) -> Bool { (a.pass, a.step) < (b.pass, b.step) }
}

/// Assigns passes to frames: a new pass begins when frame numbers do not advance.
struct PlayPlaces {
  let isReversed: Bool
  private var last: PlayPlace?

  init(isReversed: Bool) { self.isReversed = isReversed }

  mutating func place(of frame: Int) -> PlayPlace {
    let step = isReversed ? -frame : frame
    var place = PlayPlace(pass: last?.pass ?? 0, step: step)
    if let last, step <= last.step { place.pass += 1 }
    last = place
    return place
  }
}
