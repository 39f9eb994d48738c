import { spawn } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { flattenTokens, parseMarkdown } from "#lib/support/parse-markdown";

/** A fenced block in a Markdown file. */
export interface DocumentedSnippet {
  /** The file and the line of the fence: `docs/guides/webhooks.md:49`. */
  place: string;
  language: string;
  code: string;
}

export function listSnippets(file: string, source: string): DocumentedSnippet[] {
  let end = 0;
  return flattenTokens(parseMarkdown(source).tokens).flatMap((token) => {
    if (token.type !== "code") return [];
    // Blocks are in the order of the file, so each block starts after the previous one.
    const start = source.indexOf(token.raw.split("\n", 1)[0] ?? "", end);
    end = start + token.raw.length;
    const line = source.slice(0, start).split("\n").length;
    return [{ place: `${file}:${line}`, language: token.lang ?? "", code: token.text }];
  });
}

/** The command for each language that runs, in a folder that contains the snippet as a file. */
export const PROGRAMS: Record<string, { file: string; command: string[] }> = {
  sh: { file: "snippet.sh", command: ["sh", "-eu"] },
  bash: { file: "snippet.sh", command: ["bash", "-eu"] },
  js: { file: "snippet.js", command: [process.execPath] },
  ts: { file: "snippet.ts", command: [process.execPath, "--disable-warning=ExperimentalWarning"] },
  python: { file: "snippet.py", command: ["python3"] },
};

/** Far more time than any snippet takes. It stops a snippet that starts a server and would never end. */
const TIMEOUT_MS = 30_000;

/** Runs a program to its end. Never throws, because the output says why the program failed. */
export async function runToEnd(command: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: TIMEOUT_MS });
  const code = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (exit) => resolve(exit ?? 1));
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** Runs a snippet by itself: in its own folder, or in the project if it uses `npm run`. */
export async function runSnippet({ language, code }: DocumentedSnippet, env: Record<string, string>) {
  const program = PROGRAMS[language];
  if (program === undefined) throw new Error(`no program runs ${language}`);
  const folder = await mkdtemp(join(tmpdir(), "snippet-"));
  try {
    const file = join(folder, program.file);
    await writeFile(file, code);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    // Without this setting, curl succeeds no matter what the server answers.
    await writeFile(join(folder, ".curlrc"), "fail-with-body\n");
    await copyFile("docs/client/signalbox.ts", join(folder, "signalbox.ts"));
    const cwd = code.includes("npm run ") ? process.cwd() : folder;
    return await runToEnd([...program.command, file], {
      cwd,
      env: { ...process.env, CURL_HOME: folder, DATA_DIR: folder, ...env },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
