// The way back to the list, where the program was given a folder of recordings.

import { byId, el } from "./dom.js";

/// What of the address suits another recording.
const KEPT = ["a", "b", "active", "compare", "layout", "main"];

export function linkToFolder() {
  if (!location.pathname.startsWith("/r/")) return;
  const link = el("a", { href: "../../", title: "All recordings; the next one opens with these settings" }, "All recordings");
  link.addEventListener("click", event => {
    event.preventDefault();
    const parts = location.hash.slice(1).split("&").filter(part => KEPT.includes(part.split("=")[0]));
    location.href = `../../#${parts.join("&")}`;
  });
  byId("recording").before(link, " / ");
}
