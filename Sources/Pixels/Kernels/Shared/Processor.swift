import CKernels

/// What the kernels in C are chosen for. Every choice gives the same bits.
package enum Processor: CaseIterable, Sendable {
  /// Whatever the compiler makes of plain C.
  case plain
  /// x86 with AVX2, as nearly all of the last ten years are.
  case avx2

  /// The fastest that this machine can run.
  package static let best: Processor = rtk_processor() == RTKProcessorAVX2 ? .avx2 : .plain

  /// Those that this machine can run.
  package static let available: [Processor] = best == .plain ? [.plain] : allCases

  var choice: RTKProcessor { self == .avx2 ? RTKProcessorAVX2 : RTKProcessorPlain }
}
