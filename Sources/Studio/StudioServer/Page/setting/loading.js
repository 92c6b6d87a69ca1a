// In: a setting from YAML, a bundle, digests or a sweep's results, chosen, dropped, pasted, or named on the command line.

import { api } from "../parts/api.js";
import { announce, byId, el } from "../parts/dom.js";
import { named } from "../parts/setting.js";

const LARGEST_YAML = 256 * 1024, LARGEST_FILE = 64 * 1024 * 1024;
/// Settings of a sweep that are listed.
const MOST_LISTED = 1000;
/// A key of YAML that only `composite.background` has; not `without-background`, nor the word in a comment or as a value.
const SETS_BACKGROUND = /^(?:[^#\n]|(?<=\S)#)*?(?<![\w-])background["']?\s*:/m;

export class Loading {
  #studio;
  /// The sweep that a setting is chosen from.
  #sweep = null;

  constructor(studio) {
    this.#studio = studio;
    byId("yaml-file").addEventListener("change", async event => {
      const [file] = event.target.files;
      if (file) await this.#read(file);
      event.target.value = "";
    });
    byId("load-form").addEventListener("submit", event => { event.preventDefault(); this.#loadText(byId("yaml-text").value); });
    byId("load-chosen").addEventListener("click", () => this.#loadChosen());
    const { opened } = studio.session;
    byId("load-named").hidden = opened.length === 0;
    byId("load-named").append("Of the command line: ", ...opened.map((name, place) =>
      el("button", { type: "button", onclick: () => this.#guarded(async () => this.#take(await api.opened(place))) }, `Load ${name}`)));
    this.#listen();
  }

  open() {
    byId("load-problem").hidden = true;
    this.#showSweep(false);
    byId("yaml-text").value = "";
    byId("load-target").textContent = this.#studio.store.state.active.toUpperCase();
    byId("load-dialog").showModal();
    byId("yaml-text").focus();
  }

  /// A sweep's settings to choose from, with the main button.
  #showSweep(isShown) {
    byId("load-sweep").hidden = !isShown;
    byId("load-chosen").classList.toggle("primary", isShown);
    byId("load-text").classList.toggle("primary", !isShown);
  }

  #tell(text) {
    byId("load-problem").textContent = text;
    byId("load-problem").hidden = false;
  }

  async #guarded(act) {
    byId("load-problem").hidden = true;
    try {
      await act();
    } catch (error) {
      this.#tell(error.text ?? error.message);
    }
  }

  async #read(file) {
    if (!byId("load-dialog").open) this.open();
    this.#showSweep(false);
    byId("yaml-text").value = "";
    await this.#guarded(async () => {
      if (/\.ya?ml$/i.test(file.name)) {
        if (file.size > LARGEST_YAML) return this.#tell(`'${file.name}' is too large for a file of parameters.`);
        byId("yaml-text").value = await file.text();
        return this.#loadText(byId("yaml-text").value, file.name);
      }
      if (file.size > LARGEST_FILE) {
        return this.#tell(`'${file.name}' has more than 64 MiB. Start 'retake studio' with --open ${file.name} instead.`);
      }
      this.#take({ ...await api.open(file), name: file.name });
    });
  }

  /// A file's setting; of a sweep's several, one is chosen first.
  #take(answer) {
    if (answer.settings.length < 2) return this.#use(answer.preset, answer.values, answer.name, answer.note);
    this.#sweep = answer;
    const best = ` (best${answer.best ? ` by ${answer.best}` : ""})`;
    byId("load-sweep-name").textContent = answer.name;
    byId("yaml-text").value = "";
    const title = ({ n, t }) => `${n}${n === answer.chosen ? best : ""}: ${answer.tried.map((name, i) => `${name} ${t[i] || "none"}`).join(", ")}`;
    const chosen = answer.settings.find(each => each.n === answer.chosen);
    // Settings beyond the limit can be opened by number with --open on the command line.
    const listed = [...(chosen ? [chosen] : []), ...answer.settings.filter(each => each !== chosen).slice(0, MOST_LISTED - 1)];
    byId("load-setting").replaceChildren(...listed.map(each => el("option", { value: each.n }, title(each))));
    this.#showSweep(true);
    byId("load-setting").focus();
  }

  #loadChosen() {
    const { settings, tried, preset, values, name, note } = this.#sweep;
    const chosen = settings.find(each => String(each.n) === byId("load-setting").value);
    const own = { ...values, ...Object.fromEntries(tried.map((key, i) => [key, chosen.t[i]])) };
    this.#guarded(async () => {
      // The program checks the values, and refuses files that were not named on the command line.
      const answer = await api.resolve({ preset, profile: null, yaml: null, values: own });
      this.#use(answer.preset, answer.values, `${name} #${chosen.n}`, note);
    });
  }

  /// - Parameter file: its name; empty for a text that was pasted.
  async #loadText(yaml, file = "") {
    const { store, declarations } = this.#studio;
    if (!yaml.trim()) return this.#tell("There is nothing to load. Paste the text of a YAML file or choose one.");
    await this.#guarded(async () => {
      const { preset, values, note } = await api.resolve({ preset: null, profile: null, yaml, file: file || null, values: {} });
      // A file that says nothing of a background is about the person; the picture behind stays.
      if (!SETS_BACKGROUND.test(yaml)) values["composite.background"] = declarations.value(store.setting, "composite.background");
      this.#use(preset, values, file.replace(/\.ya?ml$/i, "") || store.setting.name, note);
    });
  }

  #use(preset, values, name, note = "") {
    const { store, declarations } = this.#studio;
    const { active } = store.state;
    const setting = declarations.setting(preset, values, name);
    store.edit({ [active]: name === store.setting.name ? { ...setting, named: store.setting.named } : named(setting) });
    byId("load-dialog").close();
    byId("yaml-text").value = "";
    announce(`Loaded as ${active.toUpperCase()}: preset ${preset}, ${declarations.changedCount(store.setting)} changed. ${note}`.trim());
  }

  #listen() {
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
      if (event.dataTransfer.items[0].webkitGetAsEntry?.()?.isDirectory) {
        return announce(`'${file.name}' is a folder. Drop YAML, a bundle, digests or a sweep's results.`, true);
      }
      this.#read(file);
    });
    addEventListener("paste", event => {
      const text = event.clipboardData.getData("text/plain");
      if (event.target.closest("input, textarea") || !/^\s*[a-z-]+(\.[a-z-]+)?:/m.test(text)) return;
      event.preventDefault();
      this.open();
      byId("yaml-text").value = text.slice(0, LARGEST_YAML);
    });
  }
}
