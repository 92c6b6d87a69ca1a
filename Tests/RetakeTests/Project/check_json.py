"""Checks a JSON text against one of the schemas in Sources/CommandLine/Schemas.

Knows the keywords that these schemas use, and fails on any other, so that none is silently ignored.
Usage: check_json.py SCHEMA.json TEXT.json [--lines]
"""

import json
import pathlib
import sys

TYPES = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
KNOWN = {
    "$schema", "$ref", "title", "description", "type", "enum", "oneOf", "items", "properties", "required",
    "additionalProperties",
}


def problems(value, schema, folder, place="$"):
    unknown = set(schema) - KNOWN
    if unknown:
        raise SystemExit(f"the schema uses {sorted(unknown)}, which this checker does not know")
    if "$ref" in schema:
        yield from problems(value, json.loads((folder / schema["$ref"]).read_text()), folder, place)
    if "oneOf" in schema:
        found = [list(problems(value, choice, folder, place)) for choice in schema["oneOf"]]
        if sum(not choice for choice in found) != 1:
            yield f"{place} fits {sum(not choice for choice in found)} of the choices: {found}"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        yield f"{place} is {json.dumps(value)[:40]}, not {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {json.dumps(value)[:40]}, not one of {schema['enum']}"
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from problems(item, schema["items"], folder, f"{place}[{number}]")
    if not isinstance(value, dict):
        return
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place} has no {name}"
    members, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, member in value.items():
        if name in members:
            yield from problems(member, members[name], folder, f"{place}.{name}")
        elif others is False:
            yield f"{place} has the undocumented member {name}"
        elif isinstance(others, dict):
            yield from problems(member, others, folder, f"{place}.{name}")


def main():
    path = pathlib.Path(sys.argv[1])
    schema = json.loads(path.read_text())
    text = pathlib.Path(sys.argv[2]).read_text()
    values = [json.loads(line) for line in text.splitlines()] if "--lines" in sys.argv else [json.loads(text)]
    if not values:
        raise SystemExit("there is no JSON")
    found = [problem for value in values for problem in problems(value, schema, path.parent)]
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


main()
