import FrameModel
import Support

/// The distance that one count of a depth sample stands for, as a fraction of a millimetre.
package struct DepthUnit: Hashable, Sendable {
  /// Millimetres per count: `numerator / denominator`.
  package let numerator: Int
  package let denominator: Int

  /// The tag of a video's track that states the unit, in whole micrometres.
  package static let tag = "depth_unit_micrometers"
  package static let millimeter = DepthUnit(1, 1)
  /// A unit of 10 cm down to 1 µm. Fewer are a slip for millimetres, and would make most depth too far to keep.
  private static let countsPerMeter = 10...1_000_000

  private init(_ numerator: Int, _ denominator: Int) {
    let (a, b) = Self.reduced(numerator, denominator)
    (self.numerator, self.denominator) = (a, b)
  }

  private static func reduced(_ a: Int, _ b: Int) -> (Int, Int) {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return (a / x, b / x)
  }

  /// - Parameter text: counts per metre, such as "5000", or a unit, such as "1mm", "0.25mm" or "0.001m".
  /// - Throws: `.usage` with the text, for anything else, for fewer than 10 counts per metre, and for units below 1 µm or
  ///   above 1 m.
  package init(_ text: String) throws(RetakeError) {
    if let count = Int(text), 1..<Self.countsPerMeter.lowerBound ~= count {
      throw RetakeError(
        .usage, "--scale \(text) would be \(count) depth \(count == 1 ? "unit" : "units") per metre.",
        hint: "for units of \(count) mm give \(count)mm; where a unit is that large, give its size, such as 0.5m")
    }
    guard let unit = Self.parse(text) else {
      throw RetakeError(
        .usage, "--scale \(text.prefix(40)) is not a depth unit from 1 µm to 1 m.",
        hint: "give depth units per metre, such as 5000, or a unit's size, such as 1mm or 0.001m")
    }
    self = unit
  }

  private static func parse(_ text: String) -> DepthUnit? {
    if let count = Int(text) { return countsPerMeter.contains(count) ? DepthUnit(1000, count) : nil }
    // Nanometres, so that decimals stay exact.
    for (suffix, nanometers) in [("mm", 1_000_000), ("um", 1000), ("m", 1_000_000_000)] where text.hasSuffix(suffix) {
      guard let size = decimal(text.dropLast(suffix.count), times: nanometers),
        (1000...1_000_000_000).contains(size)
      else { return nil }
      return DepthUnit(size, 1_000_000)
    }
    return nil
  }

  /// A decimal number times a power of ten; nil if the product is not whole or the text is no number.
  private static func decimal(_ text: Substring, times factor: Int) -> Int? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard (1...2).contains(parts.count), !parts[0].isEmpty, digits.count <= 12,
      digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: Array(digits), as: UTF8.self))
    else { return nil }
    let divisor = (0..<(parts.count == 2 ? parts[1].count : 0)).reduce(1) { power, _ in power * 10 }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge || product % divisor != 0 ? nil : product / divisor
  }

  /// Whole micrometres per count; nil if it is no whole number.
  package var micrometers: Int? { numerator * 1000 % denominator == 0 ? numerator * 1000 / denominator : nil }

  /// Whole counts per metre; nil if it is no whole number.
  package var countsInMeter: Int? { denominator * 1000 % numerator == 0 ? denominator * 1000 / numerator : nil }

  /// The format that keeps samples unchanged, with its setting; millimetres where no format does.
  var format: PixelFormat { self == .millimeter || micrometers == nil ? .depthMillimeters16 : .grey16 }

  var settings: [StreamDescription.Setting] {
    format == .grey16 ? [.init(StreamDescription.depthUnit, "\(micrometers ?? 1000)")] : []
  }
}

/// Changes the samples of an imported depth picture to those that its stream holds.
struct DepthSamplesTable: Sendable {
  /// Nil if samples stay as they are.
  private let values: [UInt16]?

  /// - Parameter isLargestInvalid: 65535 means that nothing was measured.
  init(_ unit: DepthUnit, isLargestInvalid: Bool = false) {
    guard isLargestInvalid || unit.format != .grey16 && unit != .millimeter else {
      values = nil
      return
    }
    // Rounded half up and clamped.
    var values = (0...65_535).map { sample in
      guard unit.format != .grey16 else { return UInt16(sample) }
      return UInt16(min(65_535, (2 * sample * unit.numerator + unit.denominator) / (2 * unit.denominator)))
    }
    if isLargestInvalid { values[65_535] = 0 }
    self.values = values
  }

  /// - Parameter bytes: little-endian 16-bit samples.
  func apply(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let values else { return }
    let samples = bytes.bindMemory(to: UInt16.self)
    values.withUnsafeBufferPointer { values in
      for i in samples.indices { samples[i] = values[Int(samples[i])] }
    }
  }
}
