import NIOCore
import NIOHTTP1

/// Collects a request, has it answered elsewhere, and writes the answer.
final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  static let usualBodyLimit = 1 << 20
  private static let securityHeaders = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  private let access: AccessRules
  private let service: any StudioService
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var bodyLimit = 0
  /// Requests that are being answered, and answers that are being sent. Both may take longer than an idle connection is kept.
  private var pendingCount = 0

  init(access: AccessRules, service: any StudioService) { (self.access, self.service) = (access, service) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, body) = (head, [])
      let path = String(head.uri.prefix { $0 != "?" })
      // A stranger sends little, whatever the path.
      let isRefused = access.refusal(head, isAPI: path.contains("/api/")) != nil
      bodyLimit = isRefused ? Self.usualBodyLimit : service.bodyLimit(head.method, path)
      let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
      if length > bodyLimit { refuseBody(context) }
    case .body(var buffer):
      guard head != nil else { return }
      guard body.count + buffer.readableBytes <= bodyLimit else { return refuseBody(context) }
      body += buffer.readBytes(length: buffer.readableBytes) ?? []
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  /// The rest of it is not waited for.
  private func refuseBody(_ context: ChannelHandlerContext) {
    head = nil
    write(
      .error(
        .payloadTooLarge, code: "usage", "A request has at most \(bodyLimit) bytes.",
        hint: "reload the page"), context, closes: true)
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    if let redirection = access.redirection(head) { return write(redirection, context, closes: !head.isKeepAlive) }
    if let refusal = access.refusal(head, isAPI: path.contains("/api/")) {
      return write(refusal, context, closes: !head.isKeepAlive)
    }
    let request = StudioRequest(
      method: head.method, path: path, query: Self.query(parts.count > 1 ? parts[1] : ""), body: body)
    body = []
    let (loop, bound) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
    let closes = !head.isKeepAlive
    pendingCount += 1
    service.answer(request) { response in
      loop.execute {
        let (handler, context) = bound.value
        handler.pendingCount -= 1
        if context.channel.isActive { handler.write(response, context, closes: closes) }
      }
    }
  }

  /// - Parameter nonce: of the page's own scripts and styles, if any are within it.
  private static func policy(_ nonce: String?) -> String {
    let own = nonce.map { "'self' 'nonce-\($0)'" } ?? "'self'"
    return "default-src 'none'; script-src \(own); style-src \(own); img-src 'self' blob: data:; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private static func query(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 { found[String(halves[0])] = String(halves[1]) }
    }
    return found
  }

  private func write(_ response: StudioResponse, _ context: ChannelHandlerContext, closes: Bool) {
    var headers = HTTPHeaders(Self.securityHeaders)
    headers.add(name: "Content-Security-Policy", value: Self.policy(response.nonce))
    headers.add(name: "Content-Type", value: response.type)
    headers.add(name: "Content-Length", value: "\(response.body.reduce(0) { $0 + $1.count })")
    for header in response.headers { headers.add(name: header.name, value: header.value) }
    if closes { headers.add(name: "Connection", value: "close") }
    context.write(
      wrapOutboundOut(.head(.init(version: .http1_1, status: response.status, headers: headers))), promise: nil)
    for part in response.body {
      context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: part)))), promise: nil)
    }
    // A reader may be slow.
    pendingCount += 1
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (handler, context) = bound.value
      handler.pendingCount -= 1
      if closes { context.close(promise: nil) }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent, pendingCount == 0 { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
