import CKernels

extension RTKProcessor {
  /// The fastest codec kernels that this machine supports. All variants give identical results.
  package static let best = rtk_processor()

  package static let available = best == RTKProcessorPlain ? [best] : [RTKProcessorPlain, best]
}
