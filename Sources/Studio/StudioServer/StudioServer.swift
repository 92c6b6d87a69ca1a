import NIOCore
import NIOHTTP1
import NIOPosix
import Support

/// Serves the page and its questions on one address.
package final class StudioServer: Sendable {
  /// A page has a few; more are somebody's mistake or attack.
  private static let connectionLimit = 256
  private static let idleTimeout = TimeAmount.seconds(20)

  package let port: Int
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup

  /// Begins to serve.
  /// - Parameters:
  ///   - host: an address of this machine.
  ///   - port: 0 for a free one.
  /// - Throws: `.usage` for an address that is not free or not this machine's.
  package init(host: String, port: Int, token: String, service: any StudioService) throws(RetakeError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.group = group
    let connections = ConnectionCount(limit: Self.connectionLimit)
    // The port is known only after binding.
    let access = AccessRules(token: token)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        guard connections.open() else { return channel.close() }
        channel.closeFuture.whenComplete { _ in connections.close() }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
          try pipeline.addHandler(IdleStateHandler(readTimeout: Self.idleTimeout))
          try pipeline.addHandler(RequestHandler(access: access, service: service))
        }
      }
    do {
      channel = try bootstrap.bind(host: host, port: port).wait()
    } catch {
      try? group.syncShutdownGracefully()
      let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
      throw RetakeError(
        .inputOutput,
        isTaken
          ? "Port \(port) is in use by another program." : "Studio cannot serve at \(host), port \(port): \(error).",
        hint: "choose another port with --port, or leave it out for a free one")
    }
    self.port = channel.localAddress?.port ?? port
    access.serve(host: host, port: self.port)
  }

  /// Ends all connections.
  package func end() {
    try? channel.close().wait()
    try? group.syncShutdownGracefully()
  }
}
