// What the page needs first. A small script asks for it while the browser still reads the large one.

import { api, takeToken } from "./api.js";

/// What the address says besides the token, and promises of the session and of the picture that the program expects to be
/// shown first, or null. The two scripts of a page share them.
export function firstAnswers() {
  globalThis.retakeFirst ??= ask();
  return globalThis.retakeFirst;
}

const LEFT = "retake-left";

/// Keeps the view of a page that is left, so that a reload shows it.
/// - Parameter href: the page's address, which lacks the view; null if it has it.
export function leave(href, address) {
  sessionStorage.setItem(LEFT, JSON.stringify([href, address]));
}

/// Puts the view into the address that lacks it.
function returnToLeft() {
  // With a token it is a link that is opened, and reading the storage would delay its first requests: see `takeToken`.
  if (location.hash.includes("token=")) return;
  const [href, address] = JSON.parse(sessionStorage.getItem(LEFT) ?? "[null]");
  if (href === location.href) history.replaceState(null, "", `#${address}`);
}

function ask() {
  returnToLeft();
  const { address, keep } = takeToken();
  const session = api.session();
  session.catch(() => {});
  // A link has a state of its own.
  const picture = address ? Promise.resolve(null) : api.first().catch(() => null);
  keep();
  return { address, session, picture };
}
