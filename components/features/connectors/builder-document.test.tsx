import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { ValidatedConnector } from "#lib/contract/connector/connector";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectorBuilder } from "@/components/features/connectors/connector-builder";
import { sampleConnector, sampleRoute, validatedConnector } from "@/components/testing/connector.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

/** How long the builder waits after the last keystroke before it checks. */
const CHECK_AFTER_MS = 600;
const OPENAPI = { openapi: "3.1.0", paths: { "/orders": { get: {} } } };

let skip: ReturnType<typeof holdTime>;
beforeEach(() => {
  skip = holdTime();
});

function renderBuilder(result: Partial<ValidatedConnector> = {}, address = "/connections/build") {
  return renderPage(<ConnectorBuilder />, {
    address,
    session: { role: "editor" },
    prepare: (server) => {
      server.answer("validate_connector", validatedConnector(result));
      server.answer("get_custom_connector", sampleConnector());
    },
  });
}

type Page = ReturnType<typeof renderBuilder>;

/** Returns the document editor, which loads after the page. */
const editor = async () => screen.findByRole("textbox", { name: "OpenAPI document" });

async function paste({ user }: Page, text: string) {
  await user.click(await editor());
  await user.paste(text);
  await skip(CHECK_AFTER_MS);
}

async function upload({ user }: Page, text: string) {
  const input = screen.getByLabelText("OpenAPI document", { selector: "input" });
  await user.upload(input, new File([text], "openapi.json", { type: "application/json" }));
  await eventually(async () => expect((await editor()).textContent).not.toBe(""));
  await skip(CHECK_AFTER_MS);
}

const checked = ({ server }: Page) => server.sent("validate_connector").at(-1);

test("a pasted JSON document is checked as JSON, and its operations are listed", async () => {
  const routes = [sampleRoute(), sampleRoute({ operation: "list_orders", name: "List orders", path: "/orders" })];
  const page = renderBuilder({ operations: ["get_order", "list_orders"], routes });
  await paste(page, JSON.stringify(OPENAPI));
  await screen.findByText(/^2 operations/);
  screen.getByText(/\/orders\/\{order_id\}/);
  expect(checked(page)).toMatchObject({ openapi: OPENAPI });
  await expectAccessible();
});

test("a pasted YAML document is sent as it is", async () => {
  const page = renderBuilder();
  await paste(page, "openapi: 3.1.0");
  await screen.findByText(/^1 operation/);
  expect(checked(page)).toMatchObject({ openapi: "openapi: 3.1.0" });
});

test("an uploaded document is shown in the editor and checked", async () => {
  const page = renderBuilder();
  await upload(page, JSON.stringify(OPENAPI));
  expect((await editor()).textContent).toContain('"/orders"');
  await screen.findByText(/^1 operation/);
  expect(checked(page)).toMatchObject({ openapi: OPENAPI });
});

test("an uploaded document above the size of a request is sent compressed, and can be removed", async () => {
  const page = renderBuilder();
  const text = `{ "text": "${"x".repeat(1_048_576)}" }`;
  const input = screen.getByLabelText("OpenAPI document", { selector: "input" });
  await page.user.upload(input, new File([text], "large.json", { type: "application/json" }));
  await screen.findByText("large.json is too large for the editor.");
  await skip(CHECK_AFTER_MS);
  await screen.findByText(/^1 operation/);
  const { openapi_gzip: gzip = "" } = checked(page) ?? {};
  expect(gunzipSync(Buffer.from(gzip, "base64")).toString()).toBe(text);
  await page.user.click(screen.getByRole("button", { name: "Remove" }));
  expect((await editor()).textContent).not.toContain("text");
});

test("a document that is too large even when compressed is refused, and the error names the alternative", async () => {
  const page = renderBuilder();
  const input = screen.getByLabelText("OpenAPI document", { selector: "input" });
  await page.user.upload(input, new File([randomBytes(900_000).toString("hex")], "large.json"));
  await screen.findByText("large.json is too large for the editor.");
  await skip(CHECK_AFTER_MS);
  expect((await screen.findByRole("alert")).textContent).toMatch(/1 MiB.*URL/);
  expect(page.server.sent("validate_connector")).toEqual([]);
});

test("only the last of several changes is checked", async () => {
  const page = renderBuilder();
  await page.user.click(await editor());
  await page.user.paste("openapi: 3");
  await skip(CHECK_AFTER_MS / 2);
  await page.user.paste(".1.0");
  await skip(CHECK_AFTER_MS / 2);
  expect(page.server.sent("validate_connector")).toEqual([]);
  await skip(CHECK_AFTER_MS);
  await eventually(() => expect(page.server.sent("validate_connector")).toHaveLength(1));
  expect(checked(page)).toMatchObject({ openapi: "openapi: 3.1.0" });
});

test("a check that failed to run says so, and the next change checks again", async () => {
  const page = renderBuilder();
  page.server.refuse("validate_connector", { code: "RATE_LIMIT_EXCEEDED", message: "Wait a moment." });
  await paste(page, "openapi: 3.1.0");
  expect((await screen.findByRole("alert")).textContent).toBe("Wait a moment.");
  page.server.answer("validate_connector", validatedConnector());
  await page.user.paste("\npaths: {}");
  await skip(CHECK_AFTER_MS);
  await screen.findByText(/^1 operation/);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("skipped parts of a document are listed with their place and do not block the build", async () => {
  const left = [{ field: "paths", pointer: "/paths/~1files/post", code: "custom", message: "It sends a file." }];
  const page = renderBuilder({ left_out: left });
  await paste(page, JSON.stringify(OPENAPI));
  const summary = await screen.findByText(/\(1\)$/);
  await page.user.click(summary);
  within(summary.closest("details") ?? document.body).getByText("It sends a file.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Build" }).disabled).toBe(false);
});

test("the place of an error is selected in the document", async () => {
  const errors = [{ field: "paths", pointer: "/paths/~1orders/get", code: "custom", message: "It answers nothing." }];
  const page = renderBuilder({ valid: false, errors, operations: [], routes: [] });
  await paste(page, JSON.stringify(OPENAPI));
  await page.user.click(await screen.findByRole("button", { name: "/paths/~1orders/get" }));
  await eventually(() => expect(document.getSelection()?.toString()).toBe('"get"'));
});

test("the upload button opens the file chooser", async () => {
  const { user } = renderBuilder();
  const input = screen.getByLabelText("OpenAPI document", { selector: "input" });
  let isAsked = false;
  input.addEventListener("click", () => {
    isAsked = true;
  });
  await user.click(screen.getByRole("button", { name: /upload/i }));
  expect(isAsked).toBe(true);
});

test("without a source nothing is checked", async () => {
  const { server } = renderBuilder();
  await editor();
  await skip(CHECK_AFTER_MS);
  expect(server.sent("validate_connector")).toEqual([]);
  expect(screen.queryByRole("alert")).toBeNull();
});
