import Dispatch
import StudioViews
import Support
import Testing

extension StudioView {
  /// Waits for the answer.
  func answer(_ request: ViewRequest, isExact: Bool = false) throws -> ViewAnswer {
    let isAnswered = DispatchSemaphore(value: 0)
    final class Box: @unchecked Sendable { var result: Result<ViewAnswer, RetakeError>? }
    let box = Box()
    let reply: StudioView.Reply = { result in
      box.result = result
      isAnswered.signal()
    }
    if isExact { showExact(request, reply: reply) } else { show(request, reply: reply) }
    isAnswered.wait()
    return try #require(box.result).get()
  }
}
