// Requests to the program. The token comes from the address's fragment and is kept for this tab only.

export class StudioError extends Error {
  constructor(status, { code = "failed", message, hint = "" }) {
    super(message);
    Object.assign(this, { status, code, hint });
  }
  get text() {
    if (!this.hint) return this.message;
    const hint = this.hint[0].toUpperCase() + this.hint.slice(1);
    return `${this.message} ${hint}${/[.!?]$/.test(hint) ? "" : "."}`;
  }
}

/// Takes the token out of the visible address, and returns what is left of the fragment and `keep`, which keeps the token for
/// later pages of the tab: in a new process that takes a browser 10 ms and more, so requests are sent before.
export function takeToken() {
  const parts = location.hash.slice(1).split("&").filter(Boolean);
  const given = parts.find(part => part.startsWith("token="));
  const rest = parts.filter(part => !part.startsWith("token=")).join("&");
  if (given) globalThis.retakeToken = given.slice("token=".length);
  // A link that is pasted over this page's address opens as in a new tab.
  addEventListener("hashchange", () => location.reload());
  const keep = () => {
    if (!given) return;
    sessionStorage.setItem("retake-token", globalThis.retakeToken);
    history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  };
  return { address: rest, keep };
}

/// Tells this page from others that are open at the same time.
export const page = Math.random().toString(36).slice(2);

/// A page's two scripts share it.
export const token = () => globalThis.retakeToken ??= sessionStorage.getItem("retake-token") ?? "";

/// - Parameter page: the address of another page of the program, relative to this one.
async function send(method, path, body, { page = "", ...init } = {}) {
  const headers = { "X-Retake-Token": token() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(`${page}api/${path}`, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", ...init,
    });
  } catch {
    throw new StudioError(0, {
      code: "gone", message: "The program does not answer.", hint: "Start 'retake studio' again, and open the address that it prints.",
    });
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new StudioError(response.status, answer.error ?? { message: `The program answered with status ${response.status}.` });
}

const truthPath = (frame, base) => `truth/planes?frame=${frame}${base === null ? "" : `&base=${base}`}`;
const json = async response => (await response).json();

export const api = {
  list: () => json(send("GET", "list")),
  find: query => json(send("POST", "find", { query })),
  session: () => json(send("GET", "session")),
  /// The picture that the program expects to be shown first; null if there is none.
  first: async () => {
    const response = await send("GET", "first");
    return response.status === 204 ? null : response.arrayBuffer();
  },
  frame: async (body, signal) => (await send("POST", "frame", body, { signal })).arrayBuffer(),
  /// Resolves when the answer begins to come.
  frameBegun: body => send("POST", "frame", body),
  thumbnail: async (frame, width, page) => (await send("GET", `thumbnail?frame=${frame}&width=${width}`, undefined, { page })).blob(),
  timeline: (from, to, buckets) => json(send("GET", `timeline?from=${from}&to=${to}&buckets=${buckets}`)),
  delivery: body => json(send("POST", "delivery", body)),
  resolve: body => json(send("POST", "resolve", body)),
  /// Settings of a file: one named on the command line by its place, or one that the person chose.
  opened: file => json(send("POST", "opened", { file })),
  open: file => json(send("POST", `open?name=${encodeURIComponent(file.name)}`, undefined, { body: file })),
  yaml: async body => (await send("POST", "yaml", body)).text(),
  command: body => json(send("POST", "command", body)),
  scores: body => json(send("POST", "scores", { ...body, page })),
  saveState: body => send("PUT", "state", body, { keepalive: true }),
  truth: () => json(send("GET", "truth")),
  /// Null for a frame without one.
  truthPlanes: async frame => {
    try {
      return new Uint8Array(await (await send("GET", `truth/planes?frame=${frame}`)).arrayBuffer());
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  },
  /// - Parameter base: digest of the truth that this one replaces, "none" for none, or null for any. Refused with 409 if
  ///   there is another one.
  saveTruth: (frame, base, body) => send("PUT", truthPath(frame, base), undefined, { body }),
  removeTruth: (frame, base) => send("DELETE", truthPath(frame, base)),
  live: () => json(send("GET", "live")),
  record: () => json(send("POST", "live/record", {})),
  /// - Parameter seconds: before now.
  /// Also while the page is left.
  mark: (label, seconds = 0) => send("POST", "live/mark", { label, seconds }, { keepalive: true }),
  stopRecording: () => json(send("POST", "live/stop", {})),
  cameraControls: () => json(send("GET", "live/controls")),
  setCameraControl: body => json(send("PUT", "live/controls", body)),
  sweep: after => json(send("GET", `sweep?after=${after}`)),
  sweepForecast: body => json(send("POST", "sweep/forecast", body)),
  sweepRun: body => json(send("POST", "sweep/run", body)),
  sweepStop: () => json(send("POST", "sweep/stop", {})),
  /// A bundle, and what the program says of it.
  bundle: async body => {
    const response = await send("POST", "bundle", body);
    const report = JSON.parse(decodeURIComponent(response.headers.get("X-Retake-Bundle")));
    return { report, blob: await response.blob() };
  },
  marks: () => json(send("GET", "marks")),
  /// Changes a mark, and returns all of them.
  changeMark: body => json(send("POST", "marks", body)),
};
