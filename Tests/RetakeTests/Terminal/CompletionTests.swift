import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Completion scripts in a shell, with keys that are pressed.
struct CompletionTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=10")
  }

  private func script(_ shell: String) throws -> String {
    try CommandLineTool.run(["--generate-completion-script", shell]).text
  }

  @Test func `bash completes whole words, of parameters, devices, marks, scores and verbs`() throws {
    try CommandLineTool.run(["mark", recording, "--label", "wave", "--at", "0.1s"])
    let file = folder.path("completions")
    try script("bash").write(toFile: file, atomically: true, encoding: .utf8)
    let programs = (try Checkout.retake as NSString).deletingLastPathComponent
    let shell = try TerminalProcess(
      ["--version"],
      after: "cd '\(folder.path)'; PATH='\(programs)':$PATH INPUTRC=/dev/null PS1= bash --norc --noprofile -i")
    try shell.type(". \(file); echo $((20 + 3))-ready\n")
    try shell.wait(for: "23-ready")
    // Typed, with Tab as '|', and the words that the shell then has.
    for (typed, words) in [
      ("replay --set matte.bl|5", ["replay", "--set", "matte.blur=5"]),
      ("replay --set=mask.kind=pl|", ["replay", "--set=mask.kind=plate"]),
      ("record --device v4|x", ["record", "--device", "v4l2:x"]),
      ("replay a.retake --from mark:w|--quiet", ["replay", "a.retake", "--from", "mark:wave", "--quiet"]),
      ("replay a.ret|", ["replay", "a.retake/"]),
      ("sweep a.ret|", ["sweep", "a.retake/"]),
      ("sweep a.retake --best hol|", ["sweep", "a.retake", "--best", "holes"]),
      ("sweep --scores iou,hol|", ["sweep", "--scores", "iou,holes"]),
      ("sweep --list mask.kind=plate,cut|", ["sweep", "--list", "mask.kind=plate,cutoff"]),
      ("replay a.retake --at 4s matte.bl|5", ["replay", "a.retake", "--at", "4s", "matte.blur=5"]),
      ("bundle a.retake --at mark:w|matte.bl|5", ["bundle", "a.retake", "--at", "mark:wave", "matte.blur=5"]),
      ("parameters matte.bl|--json", ["parameters", "matte.blur", "--json"]),
      ("sweep --list matte.bl|1,2", ["sweep", "--list", "matte.blur=1,2"]),
      ("sweep rep|x", ["sweep", "report", "x"]),
      ("help sw|x", ["help", "sweep", "x"]),
      ("sweep help rep|x", ["sweep", "help", "report", "x"]),
    ] {
      // Ctrl-A and Ctrl-E go to the line's ends.
      let keys = "retake " + typed.replacing("|", with: "\t")
      try shell.type("\(keys)\u{1}printf '<%s>' \u{5}; echo\n")
      try shell.wait(for: (["retake"] + words).map { "<\($0)>" }.joined())
    }
    try shell.type("exit\n")
    #expect(try shell.end() == 0)
  }

  @Test func `a stranger's mark runs no commands when Tab is pressed`() throws {
    let trap = folder.path("trap")
    for label in ["$(touch \(trap))", "`touch \(trap)`", "x;touch \(trap)"] {
      try CommandLineTool.run(["mark", recording, "--label", label, "--at", "0.1s"])
    }
    let file = folder.path("completions")
    let lines = """
      cd '\(folder.path)'
      retake() { '\(try Checkout.retake)' "$@"; }
      COMP_WORDS=(retake replay a.retake --from '') COMP_CWORD=4 COMP_LINE="retake replay a.retake --from "
      COMP_POINT=${#COMP_LINE}
      function=$(complete -p retake | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      "$function" retake "" --from
      eval "printf '<%s>' ${COMPREPLY[*]}"
      """
    try (script("bash") + lines).write(toFile: file, atomically: true, encoding: .utf8)
    let result = try ChildProcess.run("/bin/bash", [file])
    #expect(result.text == "<mark:$(touch \(trap))><mark:`touch \(trap)`><mark:x;touch \(trap)>", "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: trap))
  }

  @Test func `scripts of zsh and fish know what stands behind help, and what may be left out`() throws {
    let zsh = try script("zsh")
    for line in [
      "\"${CURRENT}\" -gt 2 && \"${words[2]}\" != (sweep) ]] || _retake\n",
      "_retake_sweep() {\n    if [[ \"${words[2]}\" != (run|report|", "compadd -V '' -S ''",
    ] { #expect(zsh.contains(line), "\(line)") }
    #expect(zsh.hasPrefix("#compdef retake\n"))
    let fish = try script("fish")
    for line in [
      "(__retake_tokens -pc)\n    if test \"$unparsed_tokens[2]\" = help\n",
      "    set -l words $unparsed_tokens[3] (commandline -ct)\n    if test \"$unparsed_tokens[2]\" = sweep\n",
    ] { #expect(fish.contains(line), "\(line)") }
    #expect(zsh.contains("_retake_replay() {\n    if ((CURRENT > 3)) &&"))
    #expect(fish.contains("-n '__retake_is_behind_at' -fka '(__retake_custom_completion ---completion replay -- --set"))
    #expect(try script("bash") == CommandLineTool.run(["--generate-completion-script=bash"]).text)
  }
}
