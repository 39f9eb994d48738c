import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { WEBHOOK_SCHEMES } from "#lib/contract/trigger/trigger";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";
import { signingSnippets } from "@/components/features/triggers/signing-snippets";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const URL = "http://localhost:1/webhooks/x";

/** Prints what each language would have sent, as JSON: its network call is replaced by printing. */
const RUNNERS: Record<string, (code: string) => { command: string; args: string[] }> = {
  curl: (code) => {
    const printing = `curl() { shift 4; while [ $# -gt 1 ]; do printf '%s\\n' "$2"; shift 2; done; }\n`;
    return { command: "sh", args: ["-c", printing + code] };
  },
  "Node.js": (code) => {
    const printing =
      "globalThis.fetch = async (url, { headers, body }) => { for (const [n, v] of Object.entries(headers)) console.log(n + ': ' + v); console.log(body); process.exit(0); };\n";
    return { command: process.execPath, args: ["--input-type=module", "-e", printing + code] };
  },
};

const SIGNED = WEBHOOK_SCHEMES.filter((scheme) => signingSnippets(URL, scheme).length > 0);

test("the schemes that people sign with have samples", () => {
  expect(SIGNED).toEqual(["auto", "standard", "github", "stripe", "slack", "generic"]);
});

describe.each(SIGNED)("the samples of the scheme %s", (scheme) => {
  test.each(Object.keys(RUNNERS))("%s signs requests that Signalbox accepts", (label) => {
    const code = signingSnippets(URL, scheme).find((snippet) => snippet.label === label)?.code ?? "";
    const { command, args } = RUNNERS[label]?.(code) ?? { command: "false", args: [] };
    const { stdout, stderr } = spawnSync(command, args, {
      encoding: "utf8",
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
    });
    const lines = stdout.trimEnd().split("\n");
    const body = lines.pop() ?? "";
    expect(body, stderr).toBe('{"hello":"world"}');
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
    const rule = { secret: SECRET, scheme, algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
    expect(verifySignature(rule, deliveryOf({ headers, body }))).toMatchObject({
      isGenuine: true,
    });
  });
});

test("an unsigned webhook needs no secret", () => {
  for (const { code } of signingSnippets(URL, null)) expect(code).not.toMatch(/WEBHOOK_SECRET|hmac/i);
});
