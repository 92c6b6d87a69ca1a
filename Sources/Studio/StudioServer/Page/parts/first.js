// What the page needs first. A small script asks for it while the browser still reads the large one.

import { api, takeToken } from "./api.js";

/// What the address says besides the token, and promises of the session and of the picture that the program expects to be
/// shown first, or null. The two scripts of a page share them.
export function firstAnswers() {
  globalThis.retakeFirst ??= ask();
  return globalThis.retakeFirst;
}

function ask() {
  const { address, keep } = takeToken();
  const session = api.session();
  session.catch(() => {});
  // A link has a state of its own.
  const picture = address ? Promise.resolve(null) : api.first().catch(() => null);
  keep();
  return { address, session, picture };
}
