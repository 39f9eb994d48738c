import type { WebhookScheme } from "#lib/contract/trigger/trigger";
import type { Snippet } from "@/components/ui/code-block";

type Recipe = Record<"shell" | "node" | "python", { sign: string; headers: Record<string, string> }>;

const BODY = '{"hello":"world"}';

/**
 * Returns snippets that call a webhook, ready to paste; the secret is read from $WEBHOOK_SECRET. Empty for a scheme that
 * only its service signs with.
 * @param scheme null if the webhook is unsigned
 */
export function signingSnippets(url: string, scheme: WebhookScheme | null): Snippet[] {
  const recipe = scheme === null ? null : RECIPES[scheme === "auto" ? "standard" : scheme];
  if (recipe === undefined) return [];
  return [
    { label: "curl", code: shell(url, recipe?.shell) },
    { label: "Node.js", code: node(url, recipe?.node) },
    { label: "Python", code: python(url, recipe?.python) },
  ];
}

function shell(url: string, recipe: Recipe["shell"] | undefined): string {
  const headers = Object.entries(recipe?.headers ?? {}).map(([name, value]) => `  -H "${name}: ${value}" \\`);
  return [
    `BODY='${BODY}'`,
    ...(recipe ? [recipe.sign] : []),
    `curl -sS -X POST "${url}" \\`,
    '  -H "content-type: application/json" \\',
    ...headers,
    '  -d "$BODY"',
  ].join("\n");
}

function node(url: string, recipe: Recipe["node"] | undefined): string {
  const headers = Object.entries(recipe?.headers ?? {}).map(([name, value]) => `    "${name}": ${value},`);
  return [
    ...(recipe ? [`import { createHmac } from ${JSON.stringify("node:crypto")};`, ""] : []),
    `const body = '${BODY}';`,
    ...(recipe ? [recipe.sign] : []),
    `const answer = await fetch("${url}", {`,
    '  method: "POST",',
    "  headers: {",
    '    "content-type": "application/json",',
    ...headers,
    "  },",
    "  body,",
    "});",
    "console.log(answer.status, await answer.text());",
  ].join("\n");
}

function python(url: string, recipe: Recipe["python"] | undefined): string {
  const headers = Object.entries(recipe?.headers ?? {}).map(([name, value]) => `    "${name}": ${value},`);
  return [
    recipe ? "import base64, hashlib, hmac, os, time, urllib.request" : "import urllib.request",
    "",
    `body = b'${BODY}'`,
    ...(recipe ? [recipe.sign] : []),
    "headers = {",
    '    "content-type": "application/json",',
    ...headers,
    "}",
    `request = urllib.request.Request("${url}", body, headers)`,
    "print(urllib.request.urlopen(request).read().decode())",
  ].join("\n");
}

const hexShell = (signed: string) =>
  `SIGNATURE=$(printf '%s' "${signed}" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')`;
const hexNode = (signed: string) =>
  `const signature = createHmac("sha256", process.env.WEBHOOK_SECRET).update(${signed}).digest("hex");`;
const hexPython = (signed: string) =>
  `signature = hmac.new(os.environ["WEBHOOK_SECRET"].encode(), ${signed}, hashlib.sha256).hexdigest()`;

const NOW = {
  shell: "TIMESTAMP=$(date +%s)",
  node: "const timestamp = String(Math.floor(Date.now() / 1000));",
  python: "timestamp = str(int(time.time()))",
};

/** decisions, Inbound webhooks: what each scheme signs, and which header carries its signature. */
const RECIPES: Partial<Record<WebhookScheme, Recipe>> = {
  standard: {
    shell: {
      sign: [
        NOW.shell,
        `ID="msg_$TIMESTAMP"`,
        `KEY=$(printf '%s' "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
        `SIGNATURE=$(printf '%s' "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)`,
      ].join("\n"),
      headers: { "webhook-id": "$ID", "webhook-timestamp": "$TIMESTAMP", "webhook-signature": "v1,$SIGNATURE" },
    },
    node: {
      sign: [
        NOW.node,
        'const id = "msg_" + crypto.randomUUID();',
        'const key = Buffer.from(process.env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");',
        'const signature = createHmac("sha256", key).update([id, timestamp, body].join(".")).digest("base64");',
      ].join("\n"),
      headers: { "webhook-id": "id", "webhook-timestamp": "timestamp", "webhook-signature": '"v1," + signature' },
    },
    python: {
      sign: [
        NOW.python,
        'id = f"msg_{timestamp}"',
        'key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))',
        'signed = f"{id}.{timestamp}.".encode() + body',
        "signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()",
      ].join("\n"),
      headers: { "webhook-id": "id", "webhook-timestamp": "timestamp", "webhook-signature": 'f"v1,{signature}"' },
    },
  },
  github: {
    shell: { sign: hexShell("$BODY"), headers: { "x-hub-signature-256": "sha256=$SIGNATURE" } },
    node: { sign: hexNode("body"), headers: { "x-hub-signature-256": '"sha256=" + signature' } },
    python: { sign: hexPython("body"), headers: { "x-hub-signature-256": 'f"sha256={signature}"' } },
  },
  stripe: {
    shell: {
      sign: [NOW.shell, hexShell("$TIMESTAMP.$BODY")].join("\n"),
      headers: { "stripe-signature": "t=$TIMESTAMP,v1=$SIGNATURE" },
    },
    node: {
      sign: [NOW.node, hexNode('[timestamp, body].join(".")')].join("\n"),
      headers: { "stripe-signature": '"t=" + timestamp + ",v1=" + signature' },
    },
    python: {
      sign: [NOW.python, hexPython('f"{timestamp}.".encode() + body')].join("\n"),
      headers: { "stripe-signature": 'f"t={timestamp},v1={signature}"' },
    },
  },
  slack: {
    shell: {
      sign: [NOW.shell, hexShell("v0:$TIMESTAMP:$BODY")].join("\n"),
      headers: { "x-slack-request-timestamp": "$TIMESTAMP", "x-slack-signature": "v0=$SIGNATURE" },
    },
    node: {
      sign: [NOW.node, hexNode('["v0", timestamp, body].join(":")')].join("\n"),
      headers: { "x-slack-request-timestamp": "timestamp", "x-slack-signature": '"v0=" + signature' },
    },
    python: {
      sign: [NOW.python, hexPython('f"v0:{timestamp}:".encode() + body')].join("\n"),
      headers: { "x-slack-request-timestamp": "timestamp", "x-slack-signature": 'f"v0={signature}"' },
    },
  },
  generic: {
    shell: { sign: hexShell("$BODY"), headers: { "x-webhook-signature": "$SIGNATURE" } },
    node: { sign: hexNode("body"), headers: { "x-webhook-signature": "signature" } },
    python: { sign: hexPython("body"), headers: { "x-webhook-signature": "signature" } },
  },
};
