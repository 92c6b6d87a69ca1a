// Asks for what the page needs first.

import { firstAnswers } from "./parts/first.js";

firstAnswers();
