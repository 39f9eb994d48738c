import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { CommandInput } from "#scripts/admin/admin-command";

/** Reads from the terminal, the stdin, and the folder of this process's user. */
export const USER_INPUT: CommandInput = {
  // Never from the arguments, which other users of the machine and the shell's history can see.
  readSecret: async (name) => {
    const secret = process.stdin.isTTY ? await askHidden(`${name}: `) : await readFirstLine();
    if (secret === "") throw new Error(`${name}: enter it, or pipe it into the command`);
    return secret;
  },
  readText: (file) =>
    file === "-" ? text(process.stdin) : readFile(resolve(process.env.INIT_CWD ?? ".", file), "utf8"),
};

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return "";
}

function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolveAnswer) => {
    lines.question("", (answer) => {
      lines.close();
      process.stderr.write("\n");
      resolveAnswer(answer);
    });
    lines.on("close", () => resolveAnswer(""));
  });
}
