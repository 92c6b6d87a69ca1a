// Out: YAML, command line, PNG, bundle.

import { api, token } from "../parts/api.js";
import { announce, byId, copyText, el } from "../parts/dom.js";
import { wire } from "../parts/setting.js";
import { frameRange } from "../parts/time.js";
import { TITLES } from "../pictures/tile.js";
import { Loading } from "./loading.js";

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/// A path as a shell takes it.
const shellWord = text => (/^[\p{L}\p{N}._/+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const safe = text => text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "");

export class Files {
  #studio;

  constructor(studio) {
    this.#studio = studio;
    const actions = {
      "save-yaml": () => this.saveYAML(), "copy-command": () => this.copyCommand(), "save-png": () => this.savePNG(),
      "copy-link": () => copyText(`${location.origin}${location.pathname}#token=${token()}&${this.#studio.address()}`),
      "open-bundle": () => this.#openBundle(), "open-yaml": () => this.loading.open(),
    };
    for (const [id, act] of Object.entries(actions)) {
      byId(id).addEventListener("click", event => {
        const isByKey = event.detail === 0 && document.activeElement === byId(id);
        byId("file-menu").open = false;
        // A dialog gives the focus back to what had it.
        if (isByKey) byId("file-menu").querySelector("summary").focus();
        this.#guarded(act);
      });
    }
    const menu = byId("file-menu");
    menu.addEventListener("keydown", event => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
      event.stopPropagation();
    });
    menu.addEventListener("focusout", event => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
    this.loading = new Loading(studio);
    byId("bundle-form").addEventListener("submit", event => { event.preventDefault(); this.#makeBundle(); });
    for (const button of document.querySelectorAll("dialog [data-close]")) {
      button.addEventListener("click", () => button.closest("dialog").close());
    }
  }

  get #recordingName() {
    return this.#studio.session.recording.name.replace(/\.retake$/, "");
  }

  /// A setting that is named after the recording's sweep has its name already.
  get #fileName() {
    const [recording, setting] = [this.#recordingName, this.#settingName];
    return setting.startsWith(`${recording}-`) ? setting : `${recording}-${setting}`;
  }

  get #settingName() {
    return this.#nameOf(this.#studio.store.state.active);
  }

  #nameOf(view) {
    const setting = this.#studio.store.state[view];
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
    const name = `${this.#fileName}.yaml`;
    download(new Blob([text], { type: "text/yaml" }), name);
    const { session, store } = this.#studio;
    const use = session.live ? "live --device …" : `replay ${shellWord(session.recording.path)}${this.#rangeOptions(store.state)}`;
    announce(`Saved ${name} where the browser keeps its downloads. Use it with: retake ${use} --parameters ${shellWord(name)}`, false, 15_000);
  }

  /// A replay of more frames has other pictures, where stages remember what came before.
  #rangeOptions({ from, to }) {
    const { firstNumber, frameCount } = this.#studio.session.recording;
    return from === firstNumber && to === firstNumber + frameCount ? "" : ` --from ${from} --to ${to - 1}`;
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
    const { main, frame, compare } = store.state;
    const blob = await new Promise(resolve => stage.tiles.get(main).snapshot().toBlob(resolve, "image/png"));
    const setting = compare === "off" ? this.#settingName : `${compare}-a-${this.#nameOf("a")}-b-${this.#nameOf("b")}`;
    const name = `${this.#recordingName}-${main}-${frame}-${setting}.png`;
    download(blob, name);
    announce(`Saved ${name}: ${TITLES[main].toLowerCase()} as it is seen.`);
  }

  #openBundle() {
    const { from, to } = this.#studio.store.state;
    const frames = frameRange(from, to);
    byId("bundle-range").textContent = `${frames[0].toUpperCase()}${frames.slice(1)}, with the setting ${this.#studio.store.state.active.toUpperCase()}.`;
    byId("bundle-problem").hidden = byId("bundle-done").hidden = true;
    byId("bundle-dialog").showModal();
  }

  async #makeBundle() {
    const { from, to } = this.#studio.store.state;
    const button = byId("make-bundle");
    const privacy = byId("bundle-privacy").value;
    button.disabled = true;
    byId("bundle-problem").hidden = byId("bundle-done").hidden = true;
    try {
      const { blob, report } = await api.bundle({
        from, to, setting: wire(this.#studio.store.setting), note: byId("bundle-note").value,
        ...(privacy ? { [privacy]: true } : {}), dropSerials: byId("bundle-serials").checked,
      });
      const name = `${this.#recordingName}-${from}-${to - 1}.retake-bundle`;
      download(blob, name);
      this.#tellBundle(name, blob.size, report);
    } catch (error) {
      byId("bundle-problem").textContent = error.text ?? error.message;
      byId("bundle-problem").hidden = false;
    }
    button.disabled = false;
  }

  /// What 'retake bundle' prints. It stays, as it says what leaves the machine with the file.
  #tellBundle(name, byteCount, { frames, beside, pictures, removed, remains, damage }) {
    const lines = [
      `Saved ${name}, ${frames} ${frames === 1 ? "frame" : "frames"}, ${(byteCount / 1e6).toFixed(1)} MB, where the browser keeps its downloads.`,
      beside > 0 ? `${beside} frames outside the range, which these depend on, are in it too.` : null,
      pictures === 0 ? "The setting gives no picture in this range, so 'retake reproduce' can check nothing in it." : null,
      ...removed.map(text => `Removed: ${text}`), `Still in the bundle: ${remains}`, ...damage,
      `Replay and check it with: retake reproduce ${shellWord(name)}`,
    ];
    byId("bundle-done").replaceChildren(...lines.filter(Boolean).map(text => el("p", {}, text)));
    byId("bundle-done").hidden = false;
  }
}
