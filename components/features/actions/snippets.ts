import { TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import type { InputSchema, JsonObject, OutputSchema, PropertySchema } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";

/** What the snippets call, and where. They read the key from $SVC_API_KEY, so no snippet ever contains a key. */
export interface SnippetSubject {
  /** {base_url}, without a trailing slash. */
  baseUrl: string;
  slug: string;
  input: JsonObject;
  isDryRun?: boolean;
}

/** The final statuses as a list literal for JavaScript and Python. */
const FINAL = TERMINAL_RUN_STATUSES.map((status) => JSON.stringify(status)).join(", ");

const BEARER = `-H "Authorization: Bearer $SVC_API_KEY"`;

/**
 * Quotes a text for the shell. Single quotes keep the shell from interpreting anything in the text; a quote inside
 * closes, escapes and reopens them.
 */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function curlActions(baseUrl: string): string {
  return [`curl -sS "${baseUrl}/api/v1/runtime/actions" \\`, `  ${BEARER}`].join("\n");
}

export function curlRun({ baseUrl, slug, input, isDryRun = false }: SnippetSubject): string {
  const body = JSON.stringify(isDryRun ? { input, dry_run: true } : { input });
  return [
    `curl -sS -X POST "${baseUrl}/api/v1/runtime/actions/${slug}/run" \\`,
    `  ${BEARER} \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellQuote(body)}`,
  ].join("\n");
}

/** `Prefer: wait` lets the server delay its response until the run is finished, for up to 25 seconds. */
export function curlPoll(baseUrl: string, runId = "$RUN_ID"): string {
  return [`curl -sS "${baseUrl}/api/v1/runtime/runs/${runId}" \\`, `  ${BEARER} \\`, `  -H "Prefer: wait=25"`].join(
    "\n",
  );
}

const TS_TYPES: Record<PropertySchema["type"], string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  object: "Record<string, unknown>",
  array: "unknown[]",
};

function typeOf(property: PropertySchema, indent: string): string {
  if (property.enum && property.enum.length > 0) return property.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (property.type === "array" && property.items) return `Array<${typeOf(property.items, indent)}>`;
  if (property.type === "object" && property.properties) {
    return typeMembers(property.properties, property.required ?? [], `${indent}  `);
  }
  return TS_TYPES[property.type];
}

function typeMembers(
  properties: Record<string, PropertySchema>,
  required: readonly string[] | "all",
  indent = "  ",
): string {
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = required === "all" || required.includes(name) ? "" : "?";
    return `${indent}${key}${mark}: ${typeOf(property, indent)};`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

export function typescriptRun(
  subject: SnippetSubject,
  published: InputSchema,
  outputSchema: OutputSchema | null,
): string {
  const inputSchema = currentSchema(published);
  const output = outputSchema === null ? "Record<string, unknown>" : typeMembers(outputSchema.properties, "all");
  return `type Input = ${typeMembers(inputSchema.properties, inputSchema.required)};
type Output = ${output};

const base = ${JSON.stringify(`${subject.baseUrl}/api/v1/runtime`)};
const headers = {
  authorization: \`Bearer \${process.env.SVC_API_KEY}\`,
  "content-type": "application/json",
};
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function run(input: Input): Promise<Output> {
  const started = await fetch(\`\${base}/actions/${subject.slug}/run\`, {
    method: "POST",
    headers,
    body: JSON.stringify({ input }),
  });
  let run = await started.json();
  if (!started.ok) throw new Error(\`\${run.code}: \${run.error}\`);

  while (![${FINAL}].includes(run.status)) {
    // Prefer: wait does not wait for people.
    if (run.status === "waiting_for_approval") await pause(5);
    const polled = await fetch(\`\${base}/runs/\${run.run_id}\`, { headers: { ...headers, prefer: "wait=25" } });
    if (polled.status === 429) {
      await pause(Number(polled.headers.get("retry-after")));
      continue;
    }
    run = await polled.json();
    if (!polled.ok) throw new Error(\`\${run.code}: \${run.error}\`);
  }
  if (run.status !== "succeeded") throw new Error(\`\${run.status}: \${run.error?.message}\`);
  return run.output;
}

console.log(await run(${JSON.stringify(subject.input, null, 2)}));`;
}

/** Where the application offers its client for download: one file to copy. */
const CLIENT_FILE = "signalbox.ts";
export const CLIENT_FILE_PATH = `/docs/${CLIENT_FILE}`;

export function curlClient(baseUrl: string): string {
  return `curl -sSO ${baseUrl}${CLIENT_FILE_PATH}`;
}

export function clientRun({ baseUrl, slug, input }: SnippetSubject): string {
  return `import { createSignalbox } from ${JSON.stringify(`./${CLIENT_FILE}`)};

const signalbox = createSignalbox({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.SVC_API_KEY ?? "" });

const run = await signalbox.runAndWait(${JSON.stringify(slug)}, ${JSON.stringify(input, null, 2)});
console.log(run.output);`;
}

export function pythonRun(subject: SnippetSubject): string {
  return `import json, os, time, urllib.error, urllib.request

BASE = ${JSON.stringify(`${subject.baseUrl}/api/v1/runtime`)}

def call(path, body=None):
    request = urllib.request.Request(
        BASE + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SVC_API_KEY"],
            "Content-Type": "application/json",
            "Prefer": "wait=25",
        },
    )
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        if body is None and refusal.code == 429:
            time.sleep(int(refusal.headers["retry-after"]))
            return call(path)
        raise SystemExit(refusal.read().decode())

run = call("/actions/${subject.slug}/run", {"input": json.loads(${pythonText(JSON.stringify(subject.input))})})
while run["status"] not in (${FINAL}):
    if run["status"] == "waiting_for_approval":
        time.sleep(5)  # Prefer: wait does not wait for people.
    run = call("/runs/" + run["run_id"])
print(json.dumps(run["output"] if run["status"] == "succeeded" else run["error"], indent=2))`;
}

/**
 * A JSON text is a Python string literal once it is quoted as JSON again: Python reads every escape that JSON writes.
 */
function pythonText(text: string): string {
  return JSON.stringify(text);
}
