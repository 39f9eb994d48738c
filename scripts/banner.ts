import { relative } from "node:path";
import type { Demo } from "#prisma/seed";

/** The result of a launch: everything a user needs to start. */
export interface ReadyInstance {
  url: string;
  dataDir: string;
  /** Null when the database has no demo workspace. */
  demo: Demo | null;
}

/** Returns a call of the demo's action that can be pasted into a shell. */
function curlCommand(url: string, demo: Demo): string {
  return [
    `curl -sS ${url}/api/v1/runtime/actions/${demo.slug}/run \\`,
    `    -H "Authorization: Bearer ${demo.rawKey}" \\`,
    `    -H "Content-Type: application/json" \\`,
    `    -d '${JSON.stringify({ input: demo.input })}'`,
  ].join("\n");
}

/** Returns the text for people. */
export function formatBanner({ url, dataDir, demo }: ReadyInstance): string {
  const path = relative(process.cwd(), dataDir);
  const logs = `${path.startsWith("..") ? dataDir : path}/logs`;
  const begin = demo
    ? `  Sign in     ${demo.email}   ${demo.password ?? "(the password you chose)"}

  Call the published action "${demo.slug}":

    ${curlCommand(url, demo)}

  Give it to an agent (MCP):

    claude mcp add --transport http signalbox ${url}/mcp --header "Authorization: Bearer ${demo.rawKey}"
`
    : `  Create the first account at ${url}/signup, unless you have one.
`;
  return `
  Ready at    ${url}
${begin}
  Logs        ${logs}/
  Stop        Ctrl-C
`;
}

/** Returns the same as one line, for programs. */
export function formatJson({ url, dataDir, demo }: ReadyInstance): string {
  return JSON.stringify({
    url,
    mcp_url: `${url}/mcp`,
    data_dir: dataDir,
    login: demo ? { email: demo.email, password: demo.password } : null,
    raw_key: demo?.rawKey ?? null,
    slug: demo?.slug ?? null,
    input: demo?.input ?? null,
  });
}
