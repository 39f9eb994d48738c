import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Reads a secret without echo from the terminal, or from the first line of stdin in a script. Never reads it from the
 * arguments, which other users of the machine and the shell's history can see.
 * @throws Error if nothing was entered
 */
export async function readSecret(name: string): Promise<string> {
  const secret = process.stdin.isTTY ? await askHidden(`${name}: `) : await readFirstLine();
  if (secret === "") throw new Error(`${name}: enter it, or pipe it into the command`);
  return secret;
}

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
  return new Promise((resolve) => {
    lines.question("", (answer) => {
      lines.close();
      process.stderr.write("\n");
      resolve(answer);
    });
    lines.on("close", () => resolve(""));
  });
}
