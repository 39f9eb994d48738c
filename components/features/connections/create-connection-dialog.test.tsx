import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ConnectorKindObject } from "#lib/contract/connection/connection";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateConnectionDialog } from "@/components/features/connections/create-connection-dialog";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { CONNECTION } from "@/components/testing/sample-objects.fixture";

const FIELD = { help: null, placeholder: null, default: null, options: [], required: true };
const KIND: ConnectorKindObject = {
  connector: "http",
  name: "HTTP API",
  description: "Any HTTP API.",
  serves_models: false,
  auths: [
    {
      auth: "bearer",
      name: "Bearer token",
      signs_in: false,
      fields: [
        { ...FIELD, name: "token", label: "Token", kind: "secret" },
        { ...FIELD, name: "hosts", label: "Allowed hosts", kind: "text" },
      ],
    },
  ],
  triggers: [],
};

function renderDialog() {
  const onClose = vi.fn();
  const page = renderPage(<CreateConnectionDialog onClose={onClose} />, {
    prepare: (server) => server.answer("list_connection_kinds", { data: [KIND] }),
  });
  return { ...page, onClose };
}

test("missing fields are named, and refusals of a field and of the name are shown at them", async () => {
  const { user, server } = renderDialog();
  const hosts = await screen.findByRole("textbox", { name: "Allowed hosts" });
  const token = screen.getByLabelText("Token");
  const save = screen.getByRole("button", { name: "Test and save" });
  await user.type(token, "secret");
  await user.click(save);
  await eventually(() => expect(describedBy(hosts)).toBe("Allowed hosts is required."));
  await expectFocus(hosts);
  expect(server.sent("create_connection")).toEqual([]);
  await user.type(hosts, "nowhere");
  const details = [{ field: "fields.hosts", pointer: "/fields/hosts", code: "custom", message: "is unknown" }];
  server.refuse("create_connection", { code: "BAD_REQUEST", message: "fields.hosts: is unknown", details });
  await user.click(save);
  await eventually(() => expect(describedBy(hosts)).toBe("This is unknown."));
  server.refuse("create_connection", { code: "CONNECTION_NAME_TAKEN", message: "There is a connection of this name." });
  await user.click(save);
  const name = screen.getByRole("textbox", { name: "Name" });
  await eventually(() => expect(describedBy(name)).toBe("There is a connection of this name."));
  await expectFocus(name);
});

test("credentials that the service refuses can be saved anyway, until something is changed", async () => {
  const { user, server, onClose } = renderDialog();
  await user.type(await screen.findByRole("textbox", { name: "Allowed hosts" }), "api.example");
  await user.type(screen.getByLabelText("Token"), "secret");
  server.refuse("create_connection", { code: "CONNECTION_TEST_FAILED", message: "The key is wrong." });
  await user.click(screen.getByRole("button", { name: "Test and save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The key is wrong.");
  await expectAccessible();
  await user.type(screen.getByLabelText("Token"), "!");
  await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(screen.queryByRole("button", { name: "Save anyway" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Test and save" }));
  const anyway = await screen.findByRole("button", { name: "Save anyway" });
  server.answer("create_connection", { connection: CONNECTION, test: { outcome: "failed", message: "No." } });
  await eventually(() => expect(anyway).toHaveProperty("disabled", false));
  await user.click(anyway);
  await eventually(() => expect(onClose).toHaveBeenCalled());
  const fields = { token: "secret!", hosts: "api.example" };
  const sent = { connector: "http", name: "HTTP API", auth: "bearer", fields, accept_failure: true };
  expect(server.sent("create_connection").at(-1)).toEqual(sent);
});
