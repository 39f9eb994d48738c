import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openInterpreter } from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

/** A body of a function of `input`, and the JSON of its input. */
export interface Program {
  source: string;
  inputJson: string;
}

/** The least that a call can cost. */
export interface CodeFloors {
  /** Sends the program to a child process that returns it. */
  echo(program: Program): Promise<void>;
  /** Runs the program in an interpreter of this process that is never reset. */
  evaluate(program: Program): void;
  close(): void;
}

export async function openCodeFloors(): Promise<CodeFloors> {
  const child = fork(join(import.meta.dirname, "echo-child.ts"), { serialization: "advanced" });
  await once(child, "spawn");
  const waiting: (() => void)[] = [];
  child.on("message", () => waiting.shift()?.());
  const { context } = await openInterpreter(SANDBOX.memoryBytes, (await prepareSnapshots()).typescript);
  return {
    echo: (program) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.send(program);
      }),
    evaluate: ({ source, inputJson }) => {
      const code = `JSON.stringify(((input) => {${source}\n})(JSON.parse(${JSON.stringify(inputJson)})))`;
      context.unwrapResult(context.evalCode(code)).consume((value) => context.getString(value));
    },
    close: () => child.disconnect(),
  };
}
