import { expect, test } from "vitest";
import { delayData } from "#lib/core/steps/delay/delay-data";

const problemsOf = (data: object) =>
  delayData.safeParse(data).error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`) ?? [];

test.each([
  { seconds: 5 },
  { seconds: "{{action_input.seconds}}" },
  { seconds: "1.5e1" },
  { seconds: " 5 " },
  { until: "2027-03-01T09:00:00Z" },
  { until: "2027-03-01T09:00", timezone: "Europe/Berlin" },
  { until: "{{action_input.due_at}}", seconds: null },
])("a delay with %j can be published", (data) => {
  expect(problemsOf(data)).toEqual([]);
});

test.each([
  [{}, "seconds must be a number from 0 to 2592000, or a template that produces one"],
  ...[
    "0x10",
    "0b1",
    "0o7",
    "1_0",
    "1,5",
    "+5",
    ".5",
    "5s",
    "",
    " ",
    "-1",
    "Infinity",
    "NaN",
    "007",
    true,
    [5],
    2_592_001,
  ].map((seconds): [object, string] => [
    { seconds },
    "seconds must be a number from 0 to 2592000, or a template that produces one",
  ]),
  [{ seconds: 5, until: "2027-03-01" }, "until cannot be combined with seconds: remove one of them"],
  [
    { until: "tomorrow" },
    "until must be a time in ISO 8601, such as 2027-03-01T09:00:00Z or 2027-03-01T09:00, or a template that produces one",
  ],
  [{ until: "2027-03-01T09:00", timezone: "Berlin" }, "timezone must be an IANA time zone, such as Europe/Berlin"],
])("a delay with %j is a mistake", (data, problem) => {
  expect(problemsOf(data)).toEqual([problem]);
});
