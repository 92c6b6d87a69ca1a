import Foundation
import Sweeps
import TestSupport
import Testing

/// Colours of a report.
@Suite struct PageColorTests {
  private let colors: [String: (light: [Double], dark: [Double])]

  init() throws {
    var colors: [String: (light: [Double], dark: [Double])] = [:]
    for match in PageFiles.style.matches(of: /--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);/) {
      colors[String(match.1)] = (Self.channels(match.2), Self.channels(match.3))
    }
    self.colors = colors
  }

  private static func channels(_ text: Substring) -> [Double] {
    let value = Int(text, radix: 16) ?? 0
    return [value >> 16, value >> 8 & 255, value & 255].map { Double($0) / 255 }
  }

  /// Relative luminance and contrast of WCAG 2.2.
  private static func luminance(_ color: [Double]) -> Double {
    let linear = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  private static func contrast(_ a: [Double], _ b: [Double]) -> Double {
    let (first, second) = (luminance(a), luminance(b))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  private func check(_ front: String, on backs: [String], atLeast least: Double) throws {
    let color = try #require(colors[front], "\(front)")
    for name in backs {
      let back = try #require(colors[name], "\(name)")
      #expect(Self.contrast(color.light, back.light) >= least, "\(front) on \(name), light")
      #expect(Self.contrast(color.dark, back.dark) >= least, "\(front) on \(name), dark")
    }
  }

  @Test
  func `black on white is 21 to one, which checks the formula`() {
    #expect((Self.contrast([0, 0, 0], [1, 1, 1]) - 21).magnitude < 1e-9)
  }

  @Test
  func `text can be read: at least 4.5 to one, WCAG AA`() throws {
    let backs = ["page", "surface", "raised", "row-best", "row-current", "problem"]
    for name in ["text", "quiet"] { try check(name, on: backs, atLeast: 4.5) }
    try check("accent", on: ["page", "surface", "raised", "row-best", "row-current"], atLeast: 4.5)
    try check("worse", on: ["surface", "problem"], atLeast: 4.5)
    try check("better", on: ["surface"], atLeast: 4.5)
    try check("on-accent", on: ["accent"], atLeast: 4.5)
  }

  @Test
  func `marks, lines and borders of controls can be seen: at least 3 to one`() throws {
    for name in ["best", "current", "worst", "front", "dot", "control", "accent"] {
      try check(name, on: ["surface"], atLeast: 3)
    }
  }

  @Test
  func `every colour has a name and a value in light and in dark`() throws {
    #expect(colors.count == 20)
    let rest = PageFiles.style.split(separator: "\n").filter { !$0.contains("light-dark(") }.joined(separator: "\n")
    #expect(rest.firstMatch(of: /#[0-9a-f]{3,8}\b(?![^;{]*\{)/) == nil)
  }
}
