import ArgumentParser

struct SharingFlag: ParsableArguments {
  @Flag(
    help: """
      Create the recording or bundle with the umask's permissions. By default only you can read it, because it shows people.
      """)
  var shared = false
}
