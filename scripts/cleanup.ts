type Undo = () => Promise<void> | void;

/** What has to be undone at the end of a command, last thing first. */
export class Cleanup {
  readonly #undos: Undo[] = [];

  add(undo: Undo): void {
    this.#undos.push(undo);
  }

  /** One that fails is reported and does not keep the others from being done. */
  async run(): Promise<void> {
    for (let undo = this.#undos.pop(); undo; undo = this.#undos.pop()) {
      try {
        await undo();
      } catch (error) {
        process.exitCode = 1;
        process.stderr.write(`${(error as Error).message}\n`);
      }
    }
  }
}
