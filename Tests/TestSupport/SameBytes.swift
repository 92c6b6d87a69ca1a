/// Whether two long runs of bytes are equal. `#expect(a == b)` on them would work out a difference for its message when
/// they are not, which takes for ever on megabytes.
package func areSame<Bytes: Equatable>(_ a: Bytes, _ b: Bytes) -> Bool { a == b }
