import BugBundles
import Foundation
import FrameModel
import MattePipeline
import Parameters
import Replay
import StudioViews
import Support

/// What a page asks, as JSON bodies.
enum Question {
  struct Setting: Decodable {
    var preset: String?
    var values: [String: String]?
  }

  struct Picture: Decodable {
    var view: String
    var frame: Int
    var from: Int
    var to: Int
    var setting: Setting
    var taps: [String]
    var have: [String: String]?
    var steps: [String: Int]?
    var exact: Bool?
    /// Whether nobody waits for it yet.
    var next: Bool?
    /// A word that the page chose.
    var page: String?
  }

  /// What a page keeps of its state, as far as it tells the first picture.
  struct State: Decodable {
    var frame: Int
    var from: Int
    var to: Int
    var a: Setting
  }

  /// A picture of running cameras.
  struct Live: Decodable {
    var view: String
    /// A number that the page chose.
    var client: String?
    /// The last set that the page has; -1 for none.
    var frame: Int
    /// Whether that one is shown again.
    var holds: Bool?
    var setting: Setting
    var taps: [String]
    var have: [String: String]?
    var steps: [String: Int]?
  }

  struct Mark: Decodable {
    var label: String
    /// Before now.
    var seconds: Double?
  }

  /// A mark of a recording: at a time as `MarkQuestions` gives it, or at a frame.
  struct MarkPlace: Decodable {
    var label: String
    var frame: Int?
    var time: String?
  }

  /// Without `old` a mark is set, without `new` one is removed, with both it gets another label.
  struct MarkChange: Decodable {
    var old: MarkPlace?
    var new: MarkPlace?
  }

  struct Control: Decodable {
    var device: Int
    var name: String
    var value: String
  }

  struct Values: Decodable {
    var preset: String?
    var profile: String?
    var yaml: String?
    /// The name of the YAML's file.
    var file: String?
    var values: [String: String]?
  }

  struct Spanned: Decodable {
    var from: Int
    var to: Int
    var setting: Setting
  }

  struct Scores: Decodable {
    var view: String
    var from: Int
    var to: Int
    var setting: Setting
    var scores: [String]
    /// As in `Picture`.
    var page: String?
  }

  struct Bundle: Decodable {
    var from: Int
    var to: Int
    var setting: Setting
    var note: String?
    var facesOnlyBoxes: Bool?
    var dropColor: Bool?
    var blurFaces: Bool?
    var dropSerials: Bool?

    var rules: RedactionRules {
      var rules: RedactionRules = []
      if facesOnlyBoxes == true { rules.insert(.facesOnlyBoxes) }
      if dropColor == true { rules.insert(.dropColor) }
      if blurFaces == true { rules.insert(.blurFaces) }
      if dropSerials == true { rules.insert(.dropSerials) }
      return rules
    }
  }

  struct Find: Decodable {
    var query: String
  }

  struct WithSetting: Decodable {
    var setting: Setting
  }

  static func invalid(_ name: String, _ value: String) -> RetakeError {
    RetakeError(.usage, "'\(value)' is not a valid \(name).", hint: "reload the page")
  }

  /// - Throws: `.usage` for a body that is not such JSON.
  static func read<Body: Decodable>(_ type: Body.Type, _ body: [UInt8]) throws(RetakeError) -> Body {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      throw RetakeError(.usage, "The request is not one of this version's.", hint: "reload the page")
    }
  }
}
