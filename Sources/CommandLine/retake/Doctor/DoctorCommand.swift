import ArgumentParser
import MattePipeline
import Support

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Shows what is installed, what is missing for what, and how to mend it.",
    discussion: """
      retake doctor
      retake doctor --json

      Looks at libraries and programs that Retake uses if they are installed, at cameras and your permission to use them, \
      and at the free space in this folder. Changes nothing. Exits 1 when something that is there cannot be used, such as a \
      camera without permission; what is only missing is no failure.
      """)

  @OptionGroup var output: JSONFlag

  func run() throws {
    let findings = Finding.all(folder: ".")
    try print(output.json ? Self.json(findings).versioned.text : Self.text(findings))
    if findings.contains(where: { $0.state == .problem }) { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private static var identity: String {
    "retake \(RetakeVersion.current), commit \(BuildCommit.text), pipeline revision \(PipelineRevision.current)"
  }

  private static func text(_ findings: [Finding]) -> String {
    let width = findings.map(\.name.count).max() ?? 0
    // Narrow columns of text are harder to read than lines below their heading.
    let isNarrow = Terminal.outputColumns.map { $0 - (9 + width + 2) < 30 } ?? false
    let indent = String(repeating: " ", count: isNarrow ? 4 : 9 + width + 2)
    let lines = findings.flatMap { finding in
      let head =
        "\(Format.padded(finding.state.rawValue, 9))\(isNarrow ? finding.name : Format.padded(finding.name, width))"
      var lines = isNarrow ? [head, indent + finding.detail] : ["\(head)  \(finding.detail)"]
      if finding.state != .ok { lines.append("\(indent)for \(finding.purpose)") }
      if !finding.remedy.isEmpty { lines.append("\(indent)hint: \(finding.remedy)") }
      return lines
    }
    guard let columns = Terminal.outputColumns else { return ([identity, ""] + lines).joined(separator: "\n") }
    return ([identity, ""] + lines.map { Format.wrapped($0, columns, indent: indent.count) })
      .joined(separator: "\n")
  }

  private static func json(_ findings: [Finding]) -> JSONObject {
    JSONObject([
      "version": RetakeVersion.current,
      "commit": BuildCommit.text,
      "pipeline_revision": PipelineRevision.current,
      "findings": findings.map { finding in
        JSONObject([
          "name": finding.name, "state": finding.state.rawValue, "detail": finding.detail, "purpose": finding.purpose,
          "remedy": finding.remedy.isEmpty ? nil : finding.remedy,
        ])
      },
    ])
  }
}
