import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { readApiReference } from "#lib/api/openapi/api-reference";
import { OPERATIONS } from "#lib/api/operations/registry";
import { ApiReferenceBody } from "@/components/pages/docs/api-reference-body";
import { PublicHeader } from "@/components/pages/docs/public-header";
import { ReferenceContents } from "@/components/pages/docs/reference-contents";
import { renderPage } from "@/components/testing/render-page.fixture";

const REFERENCE = readApiReference();
const PREFIX = new URL(REFERENCE.document.servers[0]?.url ?? "").pathname;
const OPERATIONS_OF_API = Object.values(REFERENCE.document.paths).flatMap((methods) => Object.values(methods));

/** The article of one operation. Queries by role over the whole page take seconds: it describes everything. */
function endpoint(operationId: string) {
  const heading = document.getElementById(operationId);
  return within(heading?.closest("article") ?? document.createElement("article"));
}

test("every link within the page leads to a place on it", () => {
  const { container } = renderPage(
    <>
      <ReferenceContents reference={REFERENCE} />
      <ApiReferenceBody reference={REFERENCE} />
    </>,
  );
  const ids = [...container.querySelectorAll("[id]")].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const anchors = [...container.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute("href")?.slice(1));
  expect(anchors.length).toBeGreaterThan(100);
  expect([...new Set(anchors)].filter((anchor) => !ids.includes(anchor ?? ""))).toEqual([]);
});

test("every operation of the API and every tool of the MCP server is described", () => {
  const { container } = renderPage(<ApiReferenceBody reference={REFERENCE} />);
  for (const { operationId, summary } of OPERATIONS_OF_API) {
    expect(document.getElementById(operationId)?.textContent).toBe(summary);
  }
  const tools = OPERATIONS.filter(({ mcp }) => mcp !== undefined).map(({ name }) => `tool-${name}`);
  const shown = [...container.querySelectorAll('[id^="tool-"]')].map(({ id }) => id);
  expect(shown.toSorted()).toEqual(tools.toSorted());
});

test("running an action shows its path, the scope it needs, its body and what it answers", () => {
  renderPage(<ApiReferenceBody reference={REFERENCE} />);
  const run = endpoint("run_action");
  run.getByText("POST");
  run.getByText(`${PREFIX}/actions/{slug}/run`);
  run.getByText("actions:run");
  within(run.getByRole("list", { name: /path/i })).getByText("slug");
  within(run.getByRole("list", { name: /header/i })).getByText("Idempotency-Key");
  within(run.getByRole("list", { name: /body/i })).getByText("input");
  run.getByText("202");
  const refusal = run.getByRole("link", { name: "404 ACTION_NOT_FOUND" });
  expect(refusal.getAttribute("href")).toBe("#ACTION_NOT_FOUND");
});

test("an operation without a key says so, and one without a body shows none", () => {
  renderPage(<ApiReferenceBody reference={REFERENCE} />);
  const list = endpoint("list_actions");
  expect(list.queryByRole("list", { name: /body/i })).toBeNull();
  list.getByRole("list", { name: /query/i });
  const open = OPERATIONS_OF_API.filter(({ security }) => security.some((way) => Object.keys(way).length === 0));
  expect(open.map(({ operationId }) => operationId)).toEqual(["get_api_description"]);
  endpoint("get_api_description").getByText(/no key/);
});

test("the snippets call the running instance", async () => {
  const { user } = renderPage(<ApiReferenceBody reference={{ ...REFERENCE, baseUrl: "https://box.example" }} />);
  const figure = document.getElementById("first-call")?.closest("section")?.querySelector("figure");
  const snippets = within(figure ?? document.createElement("figure"));
  expect(figure?.textContent).toContain(`https://box.example${PREFIX}/actions`);
  await user.click(snippets.getByRole("button", { name: /^Run/ }));
  expect(figure?.textContent).toContain(`https://box.example${PREFIX}/actions/hello-world/run`);
  expect(snippets.getByRole("button", { name: /^Run/ }).getAttribute("aria-pressed")).toBe("true");
});

test("the contents list the parts of the page in the order in which they come", () => {
  const { container } = renderPage(
    <>
      <ReferenceContents reference={REFERENCE} />
      <ApiReferenceBody reference={REFERENCE} />
    </>,
  );
  const [contents] = container.querySelectorAll('nav[aria-label="On this page"]');
  const listed = [...(contents?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href")?.slice(1));
  const onPage = [...container.querySelectorAll("h2[id], article h3[id]")].map(({ id }) => id);
  expect(listed).toEqual(onPage);
});

test("the bar of the reference leads a visitor to sign in and a member to the workspace", () => {
  const { unmount } = renderPage(<PublicHeader isSignedIn={false} />);
  expect(screen.getByRole("link", { name: /sign in/i }).getAttribute("href")).toBe("/sign-in");
  unmount();
  renderPage(<PublicHeader isSignedIn />);
  expect(screen.getByRole("link", { name: /workspace/i }).getAttribute("href")).toBe("/workflows");
});
