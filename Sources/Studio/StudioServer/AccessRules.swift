import NIOHTTP1
import Synchronization

/// Who may ask what. Another page in the same browser, and a name that leads here, are strangers.
final class AccessRules: Sendable {
  private let token: String
  /// "127.0.0.1:8080", as browsers name this server.
  private let authorities = Mutex<[String]>([])

  init(token: String) { self.token = token }

  func serve(host: String, port: Int) {
    let name = host.contains(":") ? "[\(host)]" : host
    authorities.withLock { $0 = ["\(name):\(port)"] + (port == 80 ? [name] : []) }
  }

  /// For a browser, `localhost` is another server than the address that was printed.
  func redirection(_ head: HTTPRequestHead) -> StudioResponse? {
    guard let authority = authorities.withLock({ $0.first }), let host = head.headers.first(name: "Host"),
      let port = authority.split(separator: ":").last, host == "localhost:\(port)", head.method == .GET,
      head.headers.first(name: "Sec-Fetch-Mode") == "navigate"
    else { return nil }
    var response = StudioResponse(.found, type: "text/plain", body: [])
    response.headers = [("Location", "http://\(authority)/")]
    return response
  }

  /// Nil if it may; else the refusal.
  func refusal(_ head: HTTPRequestHead, isAPI: Bool) -> StudioResponse? {
    let authorities = authorities.withLock { $0 }
    // A name that was bound to this address carries its own name here, and no Origin.
    guard let host = head.headers.first(name: "Host"), authorities.contains(host) else {
      return .refused("The address of this page is http://\(authorities.first ?? "").")
    }
    if let origin = head.headers.first(name: "Origin"), !authorities.contains(where: { origin == "http://\($0)" }) {
      return .refused("Other pages may not ask this server.")
    }
    let site = head.headers.first(name: "Sec-Fetch-Site") ?? "none"
    // A person may open the page by a link, but no page may ask for its data.
    let mayComeFromElsewhere = !isAPI && head.headers.first(name: "Sec-Fetch-Mode") == "navigate"
    guard ["same-origin", "none"].contains(site) || mayComeFromElsewhere else {
      return .refused("Other pages may not ask this server.")
    }
    guard isAPI, !Self.isEqual(head.headers.first(name: "X-Retake-Token") ?? "", token) else { return nil }
    return .error(
      .unauthorized, code: "token", "The address lacks its key.", hint: "open the address that 'retake studio' printed")
  }

  /// Takes the same time for any difference.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
