// Settings: a preset's name and the values that differ from it, as text, as on the command line.

export class Declarations {
  #files;

  constructor(session) {
    this.list = session.parameters;
    const named = this.list.filter(({ kind }) => kind === "path").map(({ name }) => session.start.values[name]);
    this.#files = new Set([...session.backgrounds.map(each => each.path), ...named]);
    this.byName = new Map(this.list.map(parameter => [parameter.name, parameter]));
    this.presets = session.presets;
    this.profiles = session.profiles;
    this.groups = [...new Set(this.list.map(parameter => parameter.group))].map(name => ({
      name, parameters: this.list.filter(parameter => parameter.group === name),
    }));
  }

  presetValue(preset, name) {
    return this.presets.find(each => each.name === preset)?.values[name] ?? this.byName.get(name).default;
  }

  /// What commands use without `--preset` and `--set`.
  defaultValue(name) {
    return this.presetValue(this.presets[0].name, name);
  }

  value(setting, name) {
    return setting.values[name] ?? this.presetValue(setting.preset, name);
  }

  isSame(name, first, second) {
    if (first === second) return true;
    const { kind } = this.byName.get(name);
    return (kind === "integer" || kind === "real") && first !== "" && second !== "" && Number(first) === Number(second);
  }

  /// A setting with one value changed; one equal to the preset's is left out.
  with(setting, name, value) {
    const values = { ...setting.values };
    if (this.isSame(name, value, this.presetValue(setting.preset, name))) delete values[name];
    else values[name] = value;
    return { ...setting, values };
  }

  /// From all values, or some of them: those that differ from the preset's. Unknown names, numbers out of range and files that
  /// are not offered are left out.
  setting(preset, values, name = "") {
    const known = this.presets.some(each => each.name === preset) ? preset : this.presets[0].name;
    let setting = { name, preset: known, values: {} };
    for (const [key, value] of Object.entries(values ?? {})) {
      if (this.#canBe(key, String(value))) setting = this.with(setting, key, String(value));
    }
    return setting;
  }

  /// Whether a parameter of this name could have the value, as far as the page can tell.
  #canBe(name, value) {
    const parameter = this.byName.get(name);
    if (!parameter) return false;
    if (parameter.kind === "path") return value === "" || this.#files.has(value);
    const isNumber = parameter.kind === "integer" || parameter.kind === "real";
    return !isNumber || (Number(value) >= parameter.min && Number(value) <= parameter.max);
  }

  changedCount(setting, group = null) {
    return Object.keys(setting.values).filter(name => !group || this.byName.get(name).group === group).length;
  }

  /// The names whose values differ between two settings.
  differences(first, second) {
    return this.list.map(each => each.name)
      .filter(name => !this.isSame(name, this.value(first, name), this.value(second, name)));
  }
}

/// A setting whose name says where its values are from. Each has a mark of its own.
export function named(setting) {
  return { ...setting, named: `${performance.timeOrigin + performance.now()}` };
}

/// What requests carry.
export function wire(setting) {
  return { preset: setting.preset, values: setting.values };
}
