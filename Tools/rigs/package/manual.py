#!/usr/bin/env python3
"""Writes manual pages of the program from what it says of itself.

    manual.py PROGRAM FOLDER    retake.1 and a page for each verb, such as retake-record.1

Examples stand as they are written; all else is filled to the width of the terminal.
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

EXIT_STATUS = [
    ("0", "done"),
    ("1", "failed or stopped"),
    ("3", "done, but a camera failed or frames were lost on the way"),
    ("64", "wrong usage"),
    ("73", "another process is at work on it"),
    ("75", "a sweep ended before its end: run it again to continue"),
]
# Where Debian's package has it.
README = "/usr/share/doc/retake/README.md"
# Commands and tables.
LITERAL = re.compile(r"^ {2,}\S|^\s*(retake|ffplay|parallel|sbatch|eval) |\S {2,}\S")


def escaped(text):
    """Text as roff takes it: no line may begin with a dot or a quotation mark."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def paragraphs(text):
    """Yields (whether it stands as written, its lines) for each block of a discussion."""
    block, is_literal = [], False
    for line in text.split("\n") + [""]:
        now = bool(LITERAL.search(line)) or (is_literal and line.startswith("  "))
        if block and (now != is_literal or not line.strip()):
            yield is_literal, block
            block = []
        if line.strip():
            block.append(line)
        is_literal = now


def discussion(text):
    for is_literal, lines in paragraphs(text):
        yield ".PP"
        if is_literal:
            lines = textwrap.dedent("\n".join(lines)).split("\n")
            yield from (".RS 4", ".nf", *map(escaped, lines), ".fi", ".RE")
        else:
            yield from (escaped(line.strip()) for line in lines)


def option_names(argument):
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    names = []
    for name in sorted(argument["names"], key=lambda name: name["kind"] == "long"):
        dashes = "-" if name["kind"] == "short" else "--"
        names.append(f"\\fB{escaped(dashes + name['name'])}\\fR")
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return ", ".join(names) + value


def arguments(command):
    sections = {}
    for argument in command.get("arguments", []):
        if not argument["shouldDisplay"]:
            continue
        title = argument.get("sectionTitle") or ("arguments" if argument["kind"] == "positional" else "options")
        sections.setdefault(title, []).append(argument)
    for title, members in sections.items():
        yield f".SH {escaped(title.upper())}"
        for argument in members:
            yield from (".TP", option_names(argument))
            help_text = argument.get("abstract", "")
            values = argument.get("allValues") or []
            # Where the name says the values already, the help says which is meant by default.
            is_said = argument.get("valueName") == "|".join(values)
            if values and not is_said:
                help_text += f" One of {', '.join(values)}."
            default = argument.get("defaultValue")
            if default and not is_said:
                help_text += f" (default: {default})"
            yield escaped(help_text.strip())
            if argument.get("discussion"):
                yield escaped(argument["discussion"].replace("\n", " "))


def synopsis(names, command):
    subcommands = [sub for sub in command.get("subcommands", []) if sub["shouldDisplay"] and sub["commandName"] != "help"]
    line = f"\\fB{escaped(' '.join(names))}\\fR"
    if subcommands:
        line += " \\fIverb\\fR"
    line += " [\\fIoptions\\fR]"
    for argument in command.get("arguments", []):
        if argument["kind"] != "positional" or not argument["shouldDisplay"]:
            continue
        name = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
        line += f" [{name}]" if argument["isOptional"] else f" {name}"
    return line


def page(names, command, version, others):
    title = "-".join(names)
    abstract = command.get("abstract", "").rstrip(".")
    subcommands = [sub for sub in command.get("subcommands", []) if sub["shouldDisplay"] and sub["commandName"] != "help"]
    lines = [
        f'.TH {escaped(title.upper())} 1 "" "retake {escaped(version)}" "Retake"',
        # Names of commands and pages can be copied and searched for only whole.
        ".nh", ".ad l",
        ".SH NAME", f"{escaped(title)} \\- {escaped(abstract[:1].lower() + abstract[1:])}",
        ".SH SYNOPSIS", synopsis(names, command),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", escaped(command["abstract"]), *discussion(command["discussion"])]
    lines += arguments(command)
    if subcommands:
        lines.append(".SH VERBS")
        for sub in subcommands:
            lines += [".TP", f"\\fB{escaped(sub['commandName'])}\\fR", escaped(sub.get("abstract", ""))]
    lines.append(".SH EXIT STATUS")
    for status, meaning in EXIT_STATUS:
        lines += [".TP", f"\\fB{status}\\fR", meaning]
    if len(names) == 1:
        lines += [".SH FILES", ".TP", f"\\fI{escaped(README)}\\fR", "README and guides, with a tutorial"]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others if other != title)]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    root = json.loads(dump)["command"]
    folder.mkdir(parents=True, exist_ok=True)
    verbs = [sub for sub in root["subcommands"] if sub["shouldDisplay"] and sub["commandName"] != "help"]
    pages = [["retake"]] + [["retake", verb["commandName"]] for verb in verbs]
    commands = [root, *verbs]
    for verb in verbs:
        for sub in verb.get("subcommands", []):
            if sub["shouldDisplay"] and sub["commandName"] != "help":
                pages.append(["retake", verb["commandName"], sub["commandName"]])
                commands.append(sub)
    titles = ["-".join(names) for names in pages]
    for names, command in zip(pages, commands):
        others = titles if len(names) == 1 else ["retake"] + [title for title in titles if title.startswith("-".join(names[:2]) + "-")]
        (folder / f"{'-'.join(names)}.1").write_text(page(names, command, version, others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
