import Foundation
import PackagePlugin

/// Writes the commit that is built into a Swift file, before each build. The manifest cannot do it: SwiftPM caches what
/// `Context.gitInformation` gave.
@main struct CommitPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let folder = context.pluginWorkDirectoryURL.appending(path: "Commit")
    // "-dirty" where tracked files differ from the commit; "unknown" outside of a checkout. The file is touched only when
    // its text changes, so that nothing is compiled again without a reason.
    let script = """
      commit=$(git -C "$1" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null) || commit=unknown
      text="enum BuildCommit { static let text = \\"$commit\\" }"
      mkdir -p "$2"
      [ "$(cat "$2/BuildCommit.swift" 2>/dev/null)" = "$text" ] || printf '%s\\n' "$text" > "$2/BuildCommit.swift"
      """
    return [
      .prebuildCommand(
        displayName: "Commit of the build", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", script, "sh", context.package.directoryURL.path, folder.path],
        outputFilesDirectory: folder)
    ]
  }
}
