/// The version of Retake. Digests name it: equal input gives equal output within one version.
package enum RetakeVersion {
  package static let current = "0.1.0"
}
