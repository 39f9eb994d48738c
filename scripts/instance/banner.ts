import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ProcessRole } from "#lib/platform/config/env";
import type { Demo } from "#prisma/seed";
import { writePrivateFile } from "#scripts/instance/write-private-file";

/** The result of a launch: everything a user needs to start. */
export interface ReadyInstance {
  role: Exclude<ProcessRole, "migrate">;
  /** The address at which this or another machine reaches the web server. */
  url: string;
  dataDir: string;
  /** The log folder. Null if logs go to stdout. */
  logs: string | null;
  /** Null if the database has no demo workspace. */
  demo: Demo | null;
  /** True if this start created the demo's API key, so no one has seen the key yet. */
  isFirst: boolean;
  /** The build of the pages, if it is still running, and what to say when it ends. */
  pages: { ended: Promise<string> } | null;
}

const DEMO_FILE = "demo.txt";

/** Returns a call of the demo's action that can be pasted into a shell. */
function curlCommand(url: string, demo: Demo): string {
  return [
    `curl -sS ${url}/api/v1/runtime/actions/${demo.slug}/run \\`,
    `    -H "Authorization: Bearer ${demo.rawKey}" \\`,
    `    -H "Content-Type: application/json" \\`,
    `    -d '${JSON.stringify({ input: demo.input })}'`,
  ].join("\n");
}

/** Returns the instructions for the demo, including its password and API key. */
function formatDemo(url: string, demo: Demo): string {
  return `  Sign in     ${demo.email}   ${demo.password ?? "(the password you chose)"}

  Call the published action "${demo.slug}":

    ${curlCommand(url, demo)}

  Connect an agent (MCP):

    claude mcp add --transport http signalbox "${url}/mcp?answers=short" --header "Authorization: Bearer ${demo.rawKey}"
`;
}

/**
 * Writes the demo's instructions to a file that only its owner can read. The terminal shows the secrets at the first
 * start only, because its output often ends up in logs and screen recordings.
 */
export async function writeDemoFile({ url, dataDir, demo }: ReadyInstance): Promise<void> {
  const path = join(dataDir, DEMO_FILE);
  if (demo) await writePrivateFile(path, formatDemo(url, demo));
  else await rm(path, { force: true });
}

/** Returns the text for people. */
export function formatBanner({ role, url, dataDir, logs, demo, isFirst, pages }: ReadyInstance): string {
  const folder = shorten(dataDir);
  const end = `  Logs        ${logs === null ? "stdout" : `${shorten(logs)}/`}\n  Stop        Ctrl-C\n`;
  if (role === "worker") return `\n  Workers take runs.\n\n${end}`;
  if (role === "web") return `\n  Ready at    ${url}\n\n${end}`;
  const later = `  Demo        The login, the API key and sample calls are in ${folder}/${DEMO_FILE}\n`;
  const building = pages ? "              The web interface is being built. Its pages open by themselves.\n" : "";
  const withoutDemo = `  Create the first account at ${url}/signup, unless you have one.\n`;
  return `
  Ready at    ${url}
${building}${demo ? (isFirst ? formatDemo(url, demo) : later) : withoutDemo}
${end}`;
}

/** Returns a path as a person would type it. */
function shorten(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

/** Returns one line of JSON for programs. It contains the password and the key at every start. */
export function formatJson({ role, url, dataDir, demo, pages }: ReadyInstance): string {
  return JSON.stringify({
    ...(role === "all" ? {} : { role }),
    url,
    mcp_url: `${url}/mcp`,
    data_dir: dataDir,
    pages_ready: pages === null,
    login: demo ? { email: demo.email, password: demo.password } : null,
    raw_key: demo?.rawKey ?? null,
    slug: demo?.slug ?? null,
    input: demo?.input ?? null,
  });
}
