import ArgumentParser

/// Who may read what a command makes.
struct SharingFlag: ParsableArguments {
  @Flag(
    help: "Let others read what is made, as the umask says. By default only you can, because it shows people.")
  var shared = false
}
