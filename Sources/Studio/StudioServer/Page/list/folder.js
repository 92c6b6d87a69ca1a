// The way back: to the list of a folder's recordings, or to the running cameras that a recording was made of.

import { byId, el } from "../parts/dom.js";

const KEPT = ["a", "b", "active", "compare", "layout", "main"];

/// What of an address suits another recording.
export function kept(address) {
  return address.split("&").filter(part => KEPT.includes(part.split("=")[0])).join("&");
}

/// - Parameter home: as the session has it; null without one.
/// - Parameter address: gives the page's address.
export function linkToFolder(home, address) {
  if (!location.pathname.startsWith("/r/")) return;
  const [text, title] = {
    live: ["Live", "Back to the running cameras, with these settings"],
    list: ["All recordings", "All recordings; one without settings of its own opens with these"],
  }[home] ?? ["Back", "Back to where this recording was opened"];
  const link = el("a", { href: "../../", title }, text);
  link.addEventListener("click", event => {
    event.preventDefault();
    location.href = `../../#${kept(address())}`;
  });
  byId("recording").before(link, " / ");
}
