// Running cameras instead of a recording: what the page has for them, and what stands for parts that only recordings have.

import { CameraControls } from "./cameracontrols.js";
import { LiveBar } from "./livebar.js";
import { LiveFeed } from "./livefeed.js";

export class Live {
  /// Nothing is painted on running cameras.
  truthMode = { isOn: false, textAt: () => "" };
  truthBar = { act: {} };

  constructor(studio) {
    document.body.classList.add("live");
    this.feed = new LiveFeed(studio);
    this.controls = new CameraControls();
    this.bar = new LiveBar(studio, this.feed, this.controls);
    const nothing = () => {};
    this.transport = {
      toggle: () => this.feed.hold(), refetch: () => this.feed.wake(), pause: () => this.feed.hold(true),
      step: nothing, goTo: nothing, setRange: nothing,
    };
  }

  begin() {
    this.feed.run();
    this.bar.run();
  }

  get keys() {
    return [
      ["Space", "hold the frame, or go on", { " ": () => this.feed.hold() }],
      ["R", "record, or end the recording", { r: () => this.bar.toggle() }],
      ["N", "mark this moment in the recording, then type its label", { n: () => this.bar.labelMark() }],
    ];
  }
}
