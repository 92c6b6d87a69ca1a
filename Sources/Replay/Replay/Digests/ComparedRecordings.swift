import RecordingStore

/// The recordings from which two digest files were made.
package struct ComparedRecordings {
  package let a: Recording
  package let b: Recording
  /// A given recording that belongs to neither file.
  package let unused: Recording?

  /// Matches recordings by the ids in the headers, and the rest by their order. A wrong match is
  /// harmless, since the replay has to give the recorded digests.
  /// - Parameter recordings: one or two.
  package init(_ recordings: [Recording], _ a: DigestHeader, _ b: DigestHeader) {
    let last = recordings.count - 1
    // Copies of one recording share its id, so only their order tells them apart.
    let areCopies = last == 1 && recordings[0].identity.id == recordings[last].identity.id
    func index(_ id: String) -> Int? { areCopies ? nil : recordings.firstIndex { $0.identity.id == id } }
    let known = (a: index(a.recording), b: index(b.recording))
    let places = (a: known.a ?? known.b.map { last - $0 } ?? 0, b: known.b ?? known.a.map { last - $0 } ?? last)
    (self.a, self.b) = (recordings[places.a], recordings[places.b])
    unused = last == 1 && places.a == places.b ? recordings[1 - places.a] : nil
  }
}
