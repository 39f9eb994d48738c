import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Serves `GET /docs/signalbox.ts`: the TypeScript client, one file that callers copy. A release may change it. */
export async function clientFile(): Promise<Response> {
  const text = await readFile(join(process.cwd(), "docs", "client", "signalbox.ts"), "utf8");
  return new Response(text, {
    headers: {
      "cache-control": "no-cache",
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'inline; filename="signalbox.ts"',
    },
  });
}
