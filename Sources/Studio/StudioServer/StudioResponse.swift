import Dispatch
import NIOHTTP1
import Support

package struct StudioRequest: Sendable {
  package var method: HTTPMethod
  /// Without the query.
  package var path: String
  package var query: [String: String]
  package var body: [UInt8]
}

package struct StudioResponse: Sendable {
  package var status: HTTPResponseStatus
  package var type: String
  /// One after the other.
  package var body: [[UInt8]]
  package var headers: [(name: String, value: String)] = []
  /// A page's policy allows the scripts and styles within it that have this; nil if it has none.
  package var nonce: String?

  package init(_ status: HTTPResponseStatus = .ok, type: String, body: [[UInt8]]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  package static func json(_ object: JSONObject, _ status: HTTPResponseStatus = .ok) -> StudioResponse {
    StudioResponse(status, type: "application/json", body: [Array(object.text.utf8)])
  }

  package static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> StudioResponse {
    StudioResponse(type: type, body: [Array(text.utf8)])
  }

  package static var nothing: StudioResponse { StudioResponse(.noContent, type: "text/plain", body: []) }

  static func error(
    _ status: HTTPResponseStatus, code: String, _ message: String, hint: String = ""
  ) -> StudioResponse {
    .json(JSONObject(["error": JSONObject(["code": code, "message": message, "hint": hint])]), status)
  }

  static func refused(_ message: String) -> StudioResponse {
    .error(.forbidden, code: "refused", message, hint: "open the address that 'retake studio' printed")
  }

  static let wrongMethod = error(.methodNotAllowed, code: "usage", "This path has no such method.")

  static func notFound(_ path: String) -> StudioResponse {
    .error(.notFound, code: "not-found", "There is nothing at \(path).", hint: "the page is at /")
  }

  package init(_ error: RetakeError) {
    let status: HTTPResponseStatus =
      switch error.code {
      case .usage, .unsupported: .badRequest
      case .notFound: .notFound
      case .busy: .conflict
      default: .internalServerError
      }
    self = .error(status, code: error.code.rawValue, error.message, hint: error.hint)
  }
}

/// Answers the questions of a page.
package protocol StudioService: Sendable {
  /// Bytes that a body may have.
  func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int
  /// - Parameter reply: called once, on any thread.
  func answer(_ request: StudioRequest, reply: @escaping @Sendable (StudioResponse) -> Void)
  /// Whether something runs that `finish` waits for.
  var isSweeping: Bool { get }
  /// Ends work that goes on without a page, and waits until it is kept. No question is asked after it.
  func finish()
}

extension DispatchQueue {
  /// Runs what answers a question, and replies with its error if it throws.
  func answer(
    _ reply: @escaping @Sendable (StudioResponse) -> Void, _ body: @escaping @Sendable () throws(RetakeError) -> Void
  ) {
    async {
      do throws(RetakeError) {
        try body()
      } catch {
        reply(StudioResponse(error))
      }
    }
  }
}
