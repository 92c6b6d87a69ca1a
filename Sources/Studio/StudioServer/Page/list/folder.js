// The way back: to the list of a folder's recordings, or to the running cameras that a recording was made of.

import { byId, el } from "../parts/dom.js";

const KEPT = ["a", "b", "active", "compare", "layout", "main"];

/// What of an address suits another recording.
export function kept(address) {
  return address.split("&").filter(part => KEPT.includes(part.split("=")[0])).join("&");
}

export function linkToFolder({ home }) {
  if (!location.pathname.startsWith("/r/")) return;
  const [text, title] = home === "live"
    ? ["Live", "Back to the running cameras, with these settings"]
    : ["All recordings", "All recordings; the next one opens with these settings"];
  const link = el("a", { href: "../../", title }, text);
  link.addEventListener("click", event => {
    event.preventDefault();
    location.href = `../../#${kept(location.hash.slice(1))}`;
  });
  byId("recording").before(link, " / ");
}
