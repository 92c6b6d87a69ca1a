// Out: YAML, command line, PNG, bundle. In: YAML from a file, dropped or pasted.

import { api } from "../parts/api.js";
import { announce, byId } from "../parts/dom.js";
import { wire } from "../parts/setting.js";
import { TITLES } from "../pictures/tile.js";

const LARGEST_YAML = 256 * 1024;

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const safe = text => text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "");

export class Files {
  #studio;

  constructor(studio) {
    this.#studio = studio;
    const actions = {
      "save-yaml": () => this.saveYAML(), "copy-command": () => this.copyCommand(), "save-png": () => this.savePNG(),
      "open-bundle": () => this.#openBundle(), "open-yaml": () => this.openLoad(),
    };
    for (const [id, act] of Object.entries(actions)) {
      byId(id).addEventListener("click", () => {
        byId("file-menu").open = false;
        this.#guarded(act);
      });
    }
    byId("yaml-file").addEventListener("change", async event => {
      const [file] = event.target.files;
      if (file) await this.#readInto(file);
      event.target.value = "";
    });
    byId("load-form").addEventListener("submit", event => { event.preventDefault(); this.#load(byId("yaml-text").value); });
    byId("bundle-form").addEventListener("submit", event => { event.preventDefault(); this.#makeBundle(); });
    for (const button of document.querySelectorAll("dialog [data-close]")) {
      button.addEventListener("click", () => button.closest("dialog").close());
    }
    this.#listenForDrops();
  }

  get #recordingName() {
    return this.#studio.session.recording.name.replace(/\.retake$/, "");
  }

  get #settingName() {
    const { setting } = this.#studio.store;
    return safe(setting.name) || setting.preset;
  }

  async #guarded(act) {
    try {
      await act();
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
  }

  async saveYAML() {
    const text = await api.yaml({ setting: wire(this.#studio.store.setting) });
    const name = `${this.#recordingName}-${this.#settingName}.yaml`;
    download(new Blob([text], { type: "text/yaml" }), name);
    const { session } = this.#studio;
    const use = session.live ? "live --device …" : `replay ${session.recording.name}`;
    announce(`Saved ${name}. Use it with: retake ${use} --parameters ${name}`);
  }

  async copyCommand() {
    const { from, to } = this.#studio.store.state;
    const { command } = await api.command({ setting: wire(this.#studio.store.setting), from, to });
    byId("command-text").value = command;
    byId("command-dialog").showModal();
    byId("command-text").select();
    try {
      await navigator.clipboard.writeText(command);
      byId("command-note").textContent = "Copied to the clipboard.";
    } catch {
      byId("command-note").textContent = "Press Ctrl+C to copy it.";
    }
  }

  /// The large tap as it is seen, with its zoom and its comparison, but without what the pointer draws over it.
  async savePNG() {
    const { store, stage } = this.#studio;
    const { main, frame } = store.state;
    const blob = await new Promise(resolve => stage.tiles.get(main).canvas.toBlob(resolve, "image/png"));
    const name = `${this.#recordingName}-${main}-${frame}-${this.#settingName}.png`;
    download(blob, name);
    announce(`Saved ${name}: ${TITLES[main].toLowerCase()} as it is seen.`);
  }

  openLoad() {
    byId("load-problem").hidden = true;
    byId("load-target").textContent = this.#studio.store.state.active.toUpperCase();
    byId("load-dialog").showModal();
    byId("yaml-text").focus();
  }

  async #readInto(file) {
    if (!byId("load-dialog").open) this.openLoad();
    if (file.size > LARGEST_YAML) return this.#tellProblem(`'${file.name}' is too large for a file of parameters.`);
    byId("yaml-text").value = await file.text();
    await this.#load(byId("yaml-text").value, file.name.replace(/\.ya?ml$/i, ""));
  }

  async #load(yaml, name = "") {
    const { store, declarations } = this.#studio;
    const { active } = store.state;
    if (!yaml.trim()) return this.#tellProblem("There is nothing to load. Paste the text of a YAML file or choose one.");
    try {
      const { preset, values } = await api.resolve({ preset: null, profile: null, yaml, values: {} });
      // A file that says nothing of a background is about the person; the picture behind stays.
      if (!/background/.test(yaml)) values["composite.background"] = declarations.value(store.setting, "composite.background");
      store.edit({ [active]: declarations.setting(preset, values, name || store.setting.name) });
      byId("load-dialog").close();
      byId("yaml-text").value = "";
      announce(`Loaded as ${active.toUpperCase()}: preset ${preset}, ${declarations.changedCount(store.setting)} changed.`);
    } catch (error) {
      this.#tellProblem(error.text ?? error.message);
    }
  }

  #tellProblem(text) {
    byId("load-problem").textContent = text;
    byId("load-problem").hidden = false;
  }

  #listenForDrops() {
    const hasFile = event => [...event.dataTransfer.items].some(item => item.kind === "file");
    addEventListener("dragover", event => {
      if (!hasFile(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
    addEventListener("drop", event => {
      document.body.classList.remove("dropping");
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      this.#guarded(() => this.#readInto(file));
    });
    addEventListener("paste", event => {
      const text = event.clipboardData.getData("text/plain");
      if (event.target.closest("input, textarea") || !/^\s*[a-z-]+(\.[a-z-]+)?:/m.test(text)) return;
      event.preventDefault();
      this.openLoad();
      byId("yaml-text").value = text.slice(0, LARGEST_YAML);
    });
  }

  #openBundle() {
    const { from, to } = this.#studio.store.state;
    byId("bundle-range").textContent = `Frames ${from} to ${to - 1}, with the setting ${this.#studio.store.state.active.toUpperCase()}.`;
    byId("bundle-problem").hidden = true;
    byId("bundle-dialog").showModal();
  }

  async #makeBundle() {
    const { from, to } = this.#studio.store.state;
    const button = byId("make-bundle");
    const privacy = byId("bundle-privacy").value;
    button.disabled = true;
    byId("bundle-problem").hidden = true;
    try {
      const blob = await api.bundle({
        from, to, setting: wire(this.#studio.store.setting), note: byId("bundle-note").value,
        ...(privacy ? { [privacy]: true } : {}), dropSerials: byId("bundle-serials").checked,
      });
      download(blob, `${this.#recordingName}-${from}-${to - 1}.retake-bundle`);
      byId("bundle-dialog").close();
      announce(`Saved the bundle, ${(blob.size / 1e6).toFixed(1)} MB. 'retake reproduce' replays and checks it.`);
    } catch (error) {
      byId("bundle-problem").textContent = error.text ?? error.message;
      byId("bundle-problem").hidden = false;
    }
    button.disabled = false;
  }
}
