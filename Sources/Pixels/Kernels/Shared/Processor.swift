import CKernels

/// The instruction set that kernels in C are chosen for. All choices give identical results.
package enum Processor: CaseIterable, Sendable {
  /// Portable C.
  case plain
  case avx2

  /// The fastest that this machine supports.
  package static let best: Processor = rtk_processor() == RTKProcessorAVX2 ? .avx2 : .plain

  package static let available: [Processor] = best == .plain ? [.plain] : allCases

  package var choice: RTKProcessor { self == .avx2 ? RTKProcessorAVX2 : RTKProcessorPlain }
}
