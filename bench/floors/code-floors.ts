import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Interpreter, openInterpreter } from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

export interface Program {
  /** The body of a function of `input`. */
  body: string;
  inputJson: string;
}

/** The parts of a call that no sandbox in a child process can avoid, and the plain way to isolate a call. */
export interface CodeFloors {
  /** Sends the program to a child process that returns it. */
  echo(program: Program): Promise<void>;
  /** Runs the program in an interpreter of this process. The interpreter is never reset. */
  evaluate(program: Program): Promise<void>;
  /** Opens an interpreter in this process and runs the program in it. */
  evaluateAlone(program: Program): Promise<void>;
  close(): void;
}

export async function openCodeFloors(): Promise<CodeFloors> {
  const child = fork(join(import.meta.dirname, "echo-child.ts"), { serialization: "advanced" });
  await once(child, "spawn");
  const waiting: (() => void)[] = [];
  child.on("message", () => waiting.shift()?.());
  const { typescript } = await prepareSnapshots();
  const open = () => openInterpreter(SANDBOX.memoryBytes, typescript);
  const shared = await open();
  return {
    echo: (program) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.send(program);
      }),
    evaluate: async (program) => evaluateIn(shared, program),
    evaluateAlone: async (program) => evaluateIn(await open(), program),
    close: () => child.disconnect(),
  };
}

function evaluateIn({ context }: Interpreter, { body, inputJson }: Program): void {
  const code = `JSON.stringify(((input) => {${body}\n})(JSON.parse(${JSON.stringify(inputJson)})))`;
  context.unwrapResult(context.evalCode(code)).consume((value) => context.getString(value));
}
