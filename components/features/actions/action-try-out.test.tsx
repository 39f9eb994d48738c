import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ActionDetailObject } from "#lib/contract/action/action";
import { eventually } from "#lib/support/eventually.fixture";
import { ActionTryOut } from "@/components/features/actions/action-try-out";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

const ACTION: Pick<ActionDetailObject, "slug" | "inputSchema" | "examples"> = {
  slug: "refund",
  inputSchema: {
    type: "object",
    properties: {
      amount: { type: "number" },
      customer: { type: "object" },
      "customer.note": { type: "string" },
    },
    required: ["amount"],
  },
  examples: [{ amount: 5, customer: { id: 1 }, "customer.note": "Late" }],
};

const renderTryOut = () => renderPage(<ActionTryOut action={ACTION as ActionDetailObject} />);
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name });
const AMOUNT = /^amount$/;
const CUSTOMER = /^customer$/;
const NOTE = /^customer\.note$/;

test("the form starts with the example and sends a dry run with the parsed fields", async () => {
  const { user, server } = renderTryOut();
  server.answer("run_action", { ...RUN, dry_run: true });
  server.answer("get_run_status", { ...RUN, dry_run: true, status: "succeeded" });
  expect(field(AMOUNT).value).toBe("5");
  await expectAccessible();
  await user.clear(field(AMOUNT));
  await user.type(field(AMOUNT), "12,5");
  await user.type(field(NOTE), " again");
  await user.click(screen.getByRole("button", { name: "Dry run" }));
  await screen.findByRole("region", { name: "Result" });
  expect(server.sent("run_action")).toEqual([
    { slug: "refund", input: { amount: 12.5, customer: { id: 1 }, "customer.note": "Late again" }, dry_run: true },
  ]);
});

test("a text of the wrong type is marked and not sent", async () => {
  const { user, server } = renderTryOut();
  await user.clear(field(AMOUNT));
  await user.type(field(AMOUNT), "many{Enter}");
  await eventually(() => expect(describedBy(field(AMOUNT))).toContain("Enter a number."));
  await expectFocus(field(AMOUNT));
  expect(server.sent("run_action")).toEqual([]);
  await user.clear(field(AMOUNT));
  await user.type(field(AMOUNT), "7");
  await eventually(() => expect(describedBy(field(AMOUNT))).toBe(""));
});

test("a refusal marks each field that its details name, and an error disappears when its field is corrected", async () => {
  const { user, server } = renderTryOut();
  server.refuse("run_action", {
    code: "INPUT_VALIDATION_FAILED",
    message: "The input does not match the schema.",
    details: [
      { field: "amount", pointer: "/amount", code: "minimum", message: "must be at least 10" },
      { field: "customer.id", pointer: "/customer/id", code: "type", message: "must be a string" },
    ],
  });
  await user.click(screen.getByRole("button", { name: "Dry run" }));
  await eventually(() => expect(describedBy(field(AMOUNT))).toContain("must be at least 10"));
  expect(describedBy(field(CUSTOMER))).toContain("customer.id: must be a string");
  expect(describedBy(field(NOTE))).toBe("");
  await expectFocus(field(AMOUNT));
  screen.getByText("The input does not match the schema.");
  await user.type(field(AMOUNT), "0");
  await eventually(() => expect(describedBy(field(AMOUNT))).toBe(""));
  expect(describedBy(field(CUSTOMER))).toContain("customer.id: must be a string");
});

test("while offline, the texts stay in their fields", async () => {
  const { user, server } = renderTryOut();
  server.goOffline();
  await user.type(field(NOTE), "!");
  await user.click(screen.getByRole("button", { name: "Dry run" }));
  await screen.findByRole("alert");
  expect(field(NOTE).value).toBe("Late!");
});
