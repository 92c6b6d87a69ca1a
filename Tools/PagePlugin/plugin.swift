import Foundation
import PackagePlugin

/// Writes the files .html, .css and .js of a target's folder Page into a Swift file, as text by path. `.embedInCode` writes
/// arrays of bytes, on which the compiler spends 13 s for Studio's page, and three times as long in a debug build.
@main struct PagePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let page = target.directoryURL.appending(path: "Page")
    let names = try FileManager.default.subpathsOfDirectory(atPath: page.path)
      .filter { path in
        ["html", "css", "js"].contains { path.hasSuffix(".\($0)") } && !"/\(path)".contains("/.")
      }.sorted()
    let output = context.pluginWorkDirectoryURL.appending(path: "PageResources.swift")
    // Swift drops the line break before the closing delimiter, so the script adds one.
    let script = """
      cd "$1" && shift && output=$1 && shift
      {
        printf 'enum PageResources {\\n  static let files: [(name: String, text: String)] = [\\n'
        for name; do printf '("%s", ##\"\"\"\\n' "$name" && cat "$name" && printf '\\n\"\"\"##),\\n' || exit; done
        printf ']\\n}\\n'
      } > "$output"
      """
    return [
      .buildCommand(
        displayName: "Page of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", script, "sh", page.path, output.path] + names,
        inputFiles: names.map { page.appending(path: $0) }, outputFiles: [output])
    ]
  }
}
