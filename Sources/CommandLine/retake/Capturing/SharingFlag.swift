import ArgumentParser

struct SharingFlag: ParsableArguments {
  @Flag(
    help: """
      Give the recording or bundle that is made the permissions of the umask. By default only you can read it, because it \
      shows people.
      """)
  var shared = false
}
