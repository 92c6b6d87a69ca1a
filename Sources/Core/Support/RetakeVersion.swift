/// Digest files name this version: equal input gives equal output only within one version.
package enum RetakeVersion {
  package static let current = "0.1.0"
}
