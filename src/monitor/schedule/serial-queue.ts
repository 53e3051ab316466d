/** Runs tasks one after the other: scenarios of an area may share users. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  async do<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
