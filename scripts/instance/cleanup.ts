type Undo = () => Promise<void> | void;

/** The steps to undo at the end of a command, last one first. */
export class Cleanup {
  readonly #undos: Undo[] = [];

  add(undo: Undo): void {
    this.#undos.push(undo);
  }

  /** Reports a failing step and continues with the others. */
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
