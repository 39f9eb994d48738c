import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunError } from "#lib/contract/run/run";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { runError } from "@/components/testing/run.fixture";

const PLACE = { workflowId: "w1", stepId: "send mail", runId: "r1" };

const renderCard = (error: Partial<RunError>) =>
  renderPage(<RunErrorCard error={runError(error)} place={PLACE} failedAt="2026-01-05T09:00:00.000Z" />);

const connections = () => screen.queryByRole("link", { name: "Open Connections" });
const canvas = () => screen.queryByRole("link", { name: "Open in editor" });

test("an invalid value links to the step, and says how a replay uses the change", async () => {
  renderCard({ step_name: "Send mail" });
  screen.getByText("A value is invalid");
  screen.getByText("amount must be a number");
  screen.getByText("VALIDATION_ERROR · in Send mail");
  screen.getByText(
    "After a change, publish it and replay this run on the published version. Completed steps are reused.",
  );
  expect(canvas()?.getAttribute("href")).toBe("/workflows/w1?run=r1&node=send%20mail");
  expect(connections()).toBeNull();
  await expectAccessible();
});

test("expired credentials link to the connections and to the step", () => {
  renderCard({ code: "AUTH_EXPIRED" });
  screen.getByText("The service no longer accepts the credentials");
  expect(connections()?.getAttribute("href")).toBe("/connections");
  expect(canvas()).not.toBeNull();
});

test("a service that asked to wait is quoted with the time", () => {
  renderCard({ code: "RATE_LIMITED", retryAfterMs: 30_000 });
  screen.getByText(/^The service asked Signalbox to wait 30/);
});

test("a specific reason with its own advice replaces that of its code", () => {
  renderCard({ code: "RATE_LIMITED", reason: "monthly_run_quota" });
  screen.getByText("The monthly run quota was used up");
  expect(canvas()).toBeNull();
  expect(connections()).toBeNull();
});

test("a reason without its own advice uses that of its code", () => {
  renderCard({ code: "UPSTREAM_ERROR", reason: "service_unreachable" });
  screen.getByText("The service failed");
});

test("paused calls say until when, and link only to the connections", () => {
  renderCard({ code: "UPSTREAM_ERROR", reason: "circuit_open", retryAfterMs: 60_000 });
  screen.getByText(/^Paused until .* after \d+ failures in \d+ minutes$/);
  expect(connections()).not.toBeNull();
  expect(canvas()).toBeNull();
});

test("a rejected run links to nothing to change", () => {
  renderCard({ code: "APPROVAL_REJECTED", message: "Rejected by Ann." });
  screen.getByText("The run was not approved");
  screen.getByText("Rejected by Ann.");
  expect(canvas()).toBeNull();
});

test("next to its step, the card does not link to it", () => {
  renderPage(<RunErrorCard error={runError()} note="attempt 3" />);
  screen.getByText("VALIDATION_ERROR · attempt 3");
  expect(canvas()).toBeNull();
  expect(screen.queryByText(/^After a change/)).toBeNull();
});
