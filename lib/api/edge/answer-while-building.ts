import type { IncomingMessage, ServerResponse } from "node:http";
import { refuseRequest } from "#lib/api/edge/refuse-request";
import { ApiError } from "#lib/contract/error/api-error";
import type { WebBuild } from "#lib/platform/config/web-build";
import { html } from "#lib/support/html";
import { plainPage } from "#lib/support/plain-page";

/** When a program may ask again. */
const RETRY_SECONDS = 5;

/**
 * Answers what needs the build of the pages while there is none: a browser gets a page that becomes the one it asked for,
 * and a program an error that says when to ask again.
 * @param since milliseconds of `performance.now()`, when the process started to wait
 */
export function answerWhileBuilding(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  build: WebBuild,
  since: number,
): void {
  const nonce = incoming.headers["x-nonce"];
  outgoing.setHeader("retry-after", String(RETRY_SECONDS));
  const isRead = incoming.method === "GET" || incoming.method === "HEAD";
  if (nonce === undefined || !isRead || !incoming.headers.accept?.includes("text/html")) {
    const text =
      "The web interface is being built. The API, MCP and webhooks already answer. Ask again in a few seconds.";
    refuseRequest(outgoing, new ApiError("SERVICE_UNAVAILABLE", text));
    return;
  }
  outgoing.statusCode = 503;
  outgoing.setHeader("cache-control", "no-store");
  outgoing.setHeader("content-type", "text/html; charset=utf-8");
  outgoing.end(incoming.method === "HEAD" ? undefined : renderPage(build, String(nonce), performance.now() - since));
}

/** Asks once a second whether the pages are there, which costs the server nothing. */
const SCRIPT = `
const started = Date.now() - Number(document.body.dataset.waitedMs);
const seconds = document.getElementById("seconds");
setInterval(async () => {
  if (seconds) seconds.textContent = Math.round((Date.now() - started) / 1000) + " s";
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.status !== 503) location.reload();
}, 1000);
`;

const STYLE = `
h1 { margin-top: 12px }
ul { margin: 0; padding: 0; list-style: none }
li { display: flex; gap: 10px; padding: 6px 0 }
#seconds { margin-left: auto; color: var(--text-2); font-variant-numeric: tabular-nums }
li::before { flex: none; width: 14px; text-align: center }
.done::before { content: "✓"; color: var(--ok) }
.now::before { content: ""; align-self: center; height: 14px; border: 2px solid var(--border); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite }
.failed::before { content: "✕"; color: var(--err) }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { .now::before { animation: none } }
`;

const MARK = html`<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#1c1b18"/><path d="M10 7v18M10 10l13 4.5" stroke="#faf9f6" stroke-width="3" stroke-linecap="round" fill="none"/><circle cx="10" cy="10" r="3.5" fill="#9aaeff"/></svg>`;

function renderPage(build: WebBuild, nonce: string, waitedMs: number): string {
  const hasFailed = build === "failed";
  const title = hasFailed ? "The web interface could not be built" : "Signalbox is almost ready";
  const text = hasFailed
    ? "The terminal and the file logs/build.log in the data folder say why. Correct it, and start Signalbox again."
    : "The first start builds the web interface, which takes about a minute. This page opens by itself.";
  const body = html`<body data-waited-ms="${Math.round(waitedMs)}">
<main>
${MARK}
<h1>${title}</h1>
<p role="status">${text}</p>
<ul>
<li class="done"><span>Database</span></li>
<li class="done"><span>API, MCP and webhooks</span></li>
<li class="${hasFailed ? "failed" : "now"}"><span>Web interface</span>${hasFailed ? null : html`<span id="seconds"></span>`}</li>
</ul>
</main>
<script nonce="${nonce}">${{ html: SCRIPT }}</script>
</body>`;
  const head = html`<noscript><meta http-equiv="refresh" content="${RETRY_SECONDS}"></noscript>`;
  return plainPage({ title, style: STYLE, head, body });
}
