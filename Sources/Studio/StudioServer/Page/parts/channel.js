// One request in flight for a view. The newest waits; a request that it replaces is answered with null.

export class Channel {
  #send;
  #isBusy = false;
  #waiting = null;

  constructor(send) {
    this.#send = send;
  }

  get hasWaiting() {
    return this.#waiting !== null;
  }

  /// - Parameter make: gives the request when its turn comes, with what the page has by then.
  ask(make) {
    this.#waiting?.resolve(null);
    return new Promise((resolve, reject) => {
      this.#waiting = { make, resolve, reject };
      if (!this.#isBusy) this.#run();
    });
  }

  async #run() {
    this.#isBusy = true;
    while (this.#waiting) {
      const { make, resolve, reject } = this.#waiting;
      this.#waiting = null;
      try {
        resolve(await this.#send(make()));
      } catch (error) {
        reject(error);
      }
    }
    this.#isBusy = false;
  }
}
