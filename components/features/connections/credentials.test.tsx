import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ConnectionObject, ConnectorKindObject } from "#lib/contract/connection/connection";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateConnectionDialog } from "@/components/features/connections/create-connection-dialog";
import { ReplaceCredentialsDialog } from "@/components/features/connections/replace-credentials-dialog";
import { sampleConnection, sampleConnectorKind, sampleField } from "@/components/testing/connection.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const REGION = sampleField({
  name: "region",
  label: "Region",
  kind: "choice",
  required: false,
  default: "eu",
  options: [
    { value: "eu", label: "Europe" },
    { value: "us", label: "America" },
  ],
});
const SHOP = sampleConnectorKind({
  connector: "shop",
  name: "Shop",
  auths: [
    { auth: "token", name: "Token", signs_in: false, fields: [sampleField(), REGION] },
    { auth: "oauth", name: "Sign in", signs_in: true, fields: [] },
  ],
});

function renderCreate(kinds: ConnectorKindObject[] = [sampleConnectorKind(), SHOP]) {
  const onClose = vi.fn();
  const page = renderPage(<CreateConnectionDialog onClose={onClose} />, {
    address: "/connections?new=true",
    prepare: (server) => {
      server.answer("list_connection_kinds", { data: kinds });
    },
  });
  return { ...page, onClose };
}

function renderReplace(subject: ConnectionObject) {
  const onClose = vi.fn();
  const page = renderPage(<ReplaceCredentialsDialog subject={subject} onClose={onClose} />, {
    prepare: (server) => server.answer("list_connection_kinds", { data: [sampleConnectorKind()] }),
  });
  return { ...page, onClose };
}

const token = () => screen.findByLabelText("Token");
const save = () => screen.getByRole("button", { name: "Test and save" });

test("an empty required field is named, and nothing is sent", async () => {
  const { user, server } = renderCreate();
  const field = await token();
  await user.click(save());
  expect(describedBy(field)).toBe("Token is required.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(server.sent("create_connection")).toEqual([]);
  await expectAccessible();
});

test("the fields are those of the chosen connector, with their defaults", async () => {
  const { user, server, onClose } = renderCreate();
  const connection = sampleConnection({ connector: "shop" });
  server.answer("create_connection", { connection, test: { outcome: "ok", message: "Signed in as Ann." } });
  await token();
  await user.selectOptions(screen.getByRole("combobox", { name: "Connector" }), "shop");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("Shop");
  await user.type(await token(), "secret");
  await user.click(save());
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(server.sent("create_connection")).toEqual([
    {
      connector: "shop",
      name: "Shop",
      auth: "token",
      fields: { token: "secret", region: "eu" },
      accept_failure: false,
    },
  ]);
  await screen.findByText("Shop works. Signed in as Ann.");
});

test("a secret is typed into a password field that no browser fills in", async () => {
  renderCreate();
  const field = await token();
  expect(field.getAttribute("type")).toBe("password");
  expect(field.getAttribute("autocomplete")).toBe("new-password");
});

test("refused credentials can be saved only after the refusal was shown", async () => {
  const { user, server, onClose } = renderCreate();
  server.refuse("create_connection", { code: "CONNECTION_TEST_FAILED", message: "The service answered 401." });
  await user.type(await token(), "wrong");
  expect(screen.queryByRole("button", { name: "Save anyway" })).toBeNull();
  await user.click(save());
  expect((await screen.findByRole("alert")).textContent).toBe(
    "The test failed, so nothing was saved.The service answered 401.",
  );
  server.answer("create_connection", {
    connection: sampleConnection({ status: "failed" }),
    test: { outcome: "failed", message: "The service answered 401." },
  });
  await user.click(screen.getByRole("button", { name: "Save anyway" }));
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(server.sent("create_connection").map((input) => input.accept_failure)).toEqual([false, true]);
});

test("correcting refused credentials clears the refusal", async () => {
  const { user, server } = renderCreate();
  server.refuse("create_connection", { code: "CONNECTION_TEST_FAILED", message: "The service answered 401." });
  await user.type(await token(), "wrong");
  await user.click(save());
  await screen.findByRole("button", { name: "Save anyway" });
  await user.type(await token(), "!");
  expect(screen.queryByRole("button", { name: "Save anyway" })).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a taken name is refused at the name, a wrong field at the field", async () => {
  const { user, server } = renderCreate();
  server.refuse("create_connection", { code: "CONNECTION_NAME_TAKEN", message: "Another connection has this name." });
  await user.type(await token(), "secret");
  await user.click(save());
  const name = screen.getByRole("textbox", { name: "Name" });
  await eventually(() => expect(describedBy(name)).toBe("Another connection has this name."));
  server.refuse("create_connection", {
    code: "BAD_REQUEST",
    message: "fields.token: is too short",
    details: [{ field: "fields.token", pointer: "/fields/token", code: "custom", message: "is too short" }],
  });
  await user.click(save());
  await eventually(() => expect(describedBy(screen.getByLabelText("Token"))).toBe("This is too short."));
});

test("while offline nothing is lost: the form explains it and can be sent later", async () => {
  const { user, server, onClose } = renderCreate();
  server.answer("create_connection", {
    connection: sampleConnection(),
    test: { outcome: "untested", message: "There is nothing to ask." },
  });
  await user.type(await token(), "secret");
  server.goOffline();
  await user.click(save());
  await screen.findByRole("alert");
  expect(onClose).not.toHaveBeenCalled();
  server.goOnline();
  await user.click(save());
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test("signing in at a service shows the redirect URL and returns to the list", async () => {
  const { user, server } = renderCreate();
  server.refuse("start_authorization", { code: "BAD_REQUEST", message: "The service is not set up here." });
  await token();
  await user.selectOptions(screen.getByRole("combobox", { name: "Connector" }), "shop");
  await user.selectOptions(screen.getByRole("combobox", { name: "Authentication" }), "oauth");
  screen.getByText("https://signalbox.example/api/oauth/callback");
  await user.click(screen.getByRole("button", { name: "Sign in at Shop" }));
  await screen.findByText("The service is not set up here.");
  expect(server.sent("start_authorization")).toEqual([
    { connector: "shop", name: "Shop", auth: "oauth", fields: {}, return_to: "/connections" },
  ]);
});

const SERVICE = sampleField({
  name: "service",
  label: "Service",
  kind: "choice",
  required: false,
  default: "other",
  help: "Fills in the fields below.",
  options: [
    { value: "other", label: "Other service" },
    {
      value: "crm",
      label: "CRM",
      fills: { address: "https://crm.example/token", region: "us" },
      docs: "https://crm.example/docs",
    },
    { value: "desk", label: "Desk", fills: { address: "https://desk.example/token", region: "eu" } },
  ],
});
const ADDRESS = sampleField({ name: "address", label: "Token URL", kind: "text" });

test("choosing a service fills in its fields, which can still be changed", async () => {
  const auth = { auth: "oauth", name: "Sign in", signs_in: true, fields: [SERVICE, ADDRESS, REGION] };
  const { user, server } = renderCreate([sampleConnectorKind({ auths: [auth] })]);
  server.refuse("start_authorization", { code: "BAD_REQUEST", message: "Not here." });
  const service = await screen.findByRole("combobox", { name: "Service" });
  const address = screen.getByRole<HTMLInputElement>("textbox", { name: "Token URL" });
  expect(address.value).toBe("");
  expect(screen.queryByRole("link")).toBeNull();
  await user.selectOptions(service, "crm");
  expect(address.value).toBe("https://crm.example/token");
  const docs = screen.getByRole("link", { name: "Documentation of CRM" });
  expect(docs.getAttribute("href")).toBe("https://crm.example/docs");
  await user.selectOptions(service, "desk");
  expect(address.value).toBe("https://desk.example/token");
  await user.type(address, "/v2");
  await user.click(screen.getByRole("button", { name: /^Sign in at/ }));
  await screen.findByText("Not here.");
  expect(server.sent("start_authorization")[0]).toMatchObject({
    fields: { service: "desk", address: "https://desk.example/token/v2", region: "eu" },
  });
  await expectAccessible();
});

test("a form that fails to load offers a retry", async () => {
  const { user, server } = renderPage(<CreateConnectionDialog onClose={vi.fn()} />, {
    prepare: (fake) => fake.refuse("list_connection_kinds", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  await screen.findByText("Couldn't load the form.");
  server.answer("list_connection_kinds", { data: [sampleConnectorKind()] });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await token();
});

test("replacing credentials shows the end of the old secret and the workflows it affects", async () => {
  const used = { workflow_id: idOf(9), name: "Refunds", draft: true, deployed: true };
  const { user, server, onClose } = renderReplace(
    sampleConnection({ secret_hints: { token: "…9f3a" }, used_by: [used] }),
  );
  screen.getByText("Steps of Refunds use the new credentials from their next call. Enter all secrets again.");
  const field = await screen.findByLabelText<HTMLInputElement>("Token");
  screen.getByText("now …9f3a");
  expect(field.value).toBe("");
  server.answer("replace_credentials", {
    connection: sampleConnection(),
    test: { outcome: "ok", message: "It works." },
  });
  await user.type(field, "new");
  await user.click(screen.getByRole("button", { name: "Test and replace" }));
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(server.sent("replace_credentials")).toEqual([
    { connection_id: idOf(1), auth: "bearer", fields: { token: "new" }, accept_failure: false },
  ]);
});
