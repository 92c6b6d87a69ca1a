import ArgumentParser

struct SharingFlag: ParsableArguments {
  @Flag(help: SharingFlag.help(of: "recording")) var shared = false

  static func help(of thing: String) -> ArgumentHelp {
    """
    Create the \(thing) with the umask's permissions. By default only you can read it, because it shows people.
    """
  }
}
