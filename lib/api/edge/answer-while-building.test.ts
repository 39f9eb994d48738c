import { afterEach, describe, expect, test } from "vitest";
import { answerWhileBuilding } from "#lib/api/edge/answer-while-building";
import { getRequest, startEdge, type TestEdge } from "#lib/api/edge/edge-server.fixture";
import type { WebBuild } from "#lib/platform/config/web-build";

let edge: TestEdge;
afterEach(() => edge.close());

async function ask(request: string, build: WebBuild = "building"): Promise<string> {
  edge = await startEdge({}, async (incoming, outgoing) => answerWhileBuilding(incoming, outgoing, build, 0));
  return edge.send(request);
}

describe("while the pages are built", () => {
  test("a browser gets a page that runs only its own script, and asks again", async () => {
    const answer = await ask(getRequest("/workflows", { accept: "text/html,*/*" }));
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 5\r\n/i);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(answer) ?? [];
    expect(answer).toContain(`<script nonce="${nonce}">`);
    expect(answer.match(/<script/g)).toHaveLength(1);
    expect(answer).toContain("Signalbox is almost ready");
  });

  test("HEAD, with which the page asks, has no body", async () => {
    const request = getRequest("/workflows", { accept: "text/html" }).replace("GET", "HEAD");
    expect(await ask(request)).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\n\r\n$/);
  });

  test.each([
    ["a request of the web application", getRequest("/api/web/list_runs", { accept: "text/html" })],
    ["a program", getRequest("/workflows", { accept: "*/*" })],
    ["a form", getRequest("/sign-in", { accept: "text/html" }).replace("GET", "POST")],
  ])("%s gets an error that says when to ask again", async (_, request) => {
    const answer = await ask(request);
    expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nretry-after: 5\r\n/i);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  test("the page says so if the build failed", async () => {
    const answer = await ask(getRequest("/", { accept: "text/html" }), "failed");
    expect(answer).toContain("The web interface could not be built");
  });
});
