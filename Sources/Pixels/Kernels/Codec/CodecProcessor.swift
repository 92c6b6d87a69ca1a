import CKernels

extension RTKProcessor {
  /// What the kernels of codecs are chosen for: the fastest that this machine can run. Every choice gives the same bits.
  package static let best = rtk_processor()

  /// Those that this machine can run.
  package static let available = best == RTKProcessorPlain ? [best] : [RTKProcessorPlain, best]
}
