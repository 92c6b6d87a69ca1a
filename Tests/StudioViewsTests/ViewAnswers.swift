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

  /// Asks again while the picture is being computed, which takes longer on a busy machine.
  func exactAnswer(_ request: ViewRequest) throws -> ViewAnswer {
    // A question waits for a quarter of a second.
    for _ in 0..<800 {
      let answer = try answer(request, isExact: true)
      if answer.history == nil { return answer }
    }
    throw RetakeError(.inputOutput, "The exact picture did not come.", hint: "")
  }
}
