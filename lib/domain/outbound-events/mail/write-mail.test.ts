import { expect, test } from "vitest";
import { writeMail } from "#lib/domain/outbound-events/mail/write-mail";

const createdAt = new Date("2026-11-21T05:08:37Z");
const place = { baseUrl: "https://signalbox.example", timeZone: "Europe/Berlin" };

test("an email writes times in the workspace's zone and names the zone", () => {
  const failed = { type: "run.failed", data: { workflow_name: "Refund" }, createdAt };
  expect(writeMail([failed], place).text).toContain("Nov 21, 2026, 6:08:37 AM GMT+1");
  const approval = { id: "a", expires_at: "2026-11-21T06:08:37Z" };
  const waiting = { type: "run.waiting_for_approval", data: { workflow_name: "Refund", approval }, createdAt };
  expect(writeMail([waiting], place).text).toContain("before Sat, Nov 21, 2026, 7:08 AM GMT+1.");
});

test.each([
  [{ kind: "failures_in_a_row", threshold: 1 }, "1 run failed in a row"],
  [{ kind: "failures_in_a_row", threshold: 5 }, "5 runs failed in a row"],
  [
    { kind: "error_rate", threshold: 20, value: 33.333, window_minutes: 60 },
    "33% of the runs in 1 h failed (limit 20%)",
  ],
  [
    { kind: "slow", threshold: 1_500, value: 12_345, window_minutes: 15 },
    "95% of the successful runs in 15 min lasted up to 12 s (limit 1.5 s)",
  ],
])("the alert %o reads: %s", (data, words) => {
  const event = { type: "alert.fired", data: { ...data, workflow_name: "Refund" }, createdAt };
  expect(writeMail([event], place).subject).toBe(`Alert: Refund, ${words}`);
});

test.each([
  [{ kind: "failures_in_a_row", threshold: 1, value: 0 }, "the last run did not fail"],
  [{ kind: "failures_in_a_row", threshold: 5, value: 4 }, "there are no longer 5 failures in a row"],
  [
    { kind: "error_rate", threshold: 20, value: 0, window_minutes: 60 },
    "the share of failed runs in 1 h is no longer 20% or more",
  ],
  [
    { kind: "slow", threshold: 1_500, value: 0, window_minutes: 15 },
    "the 95th percentile of the duration of successful runs in 15 min is no longer above 1.5 s",
  ],
])("the recovery of %o reads: %s", (data, words) => {
  const event = { type: "alert.recovered", data: { ...data, workflow_name: "Refund" }, createdAt };
  const { subject, text } = writeMail([event], place);
  expect(subject).toBe(`Recovered: Refund, ${words}`);
  expect(text).toContain(`${subject}.`);
});

test("many events of one type are counted in the subject, and those after twenty at the end", () => {
  const event = { type: "schedule.missed", data: { workflow_name: "Report", missed: 2 }, createdAt };
  const { subject, text } = writeMail([event, ...Array.from({ length: 1_020 }, () => event)], place);
  expect(subject).toBe("1,021 times: Report missed 2 scheduled runs");
  expect(text).toContain("And 1,001 more: https://signalbox.example/runs");
});
