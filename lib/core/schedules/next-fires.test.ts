import { describe, expect, test } from "vitest";
import { dueFires, explainExpression, nextFires, type Schedule } from "#lib/core/schedules/next-fires";

function cron(expression: string, timezone: string): Schedule {
  return { mode: "cron", expression, timezone };
}

/** ISO format without seconds. */
const short = (moment: Date) => moment.toISOString().replace(":00.000Z", "Z");

/** Lists every fire in (from, to], in UTC. */
function firesBetween(schedule: Schedule, from: string, to: string): string[] {
  return nextFires(schedule, new Date(from), 400)
    .filter((moment) => moment <= new Date(to))
    .map(short);
}

describe("in spring, when the clock is set forward", () => {
  test.each([
    // Berlin: 2027-03-28 02:00 becomes 03:00 (01:00Z).
    ["Europe/Berlin", "30 2 * * *", "2027-03-27T00:00Z", "2027-03-30T00:00Z", "27T01:30 28T01:00 29T00:30"],
    // New York: 2027-03-14 02:00 becomes 03:00 (07:00Z).
    ["America/New_York", "15 2 * * *", "2027-03-13T00:00Z", "2027-03-16T00:00Z", "13T07:15 14T07:00 15T06:15"],
    // Lord Howe: 2027-10-03 02:00 becomes 02:30 (2nd, 15:30Z).
    ["Australia/Lord_Howe", "15 2 * * *", "2027-10-01T00:00Z", "2027-10-04T00:00Z", "01T15:45 02T15:30 03T15:15"],
    // Sao Paulo, when it still had daylight saving: 2018-11-04 00:00 became 01:00 (03:00Z).
    ["America/Sao_Paulo", "0 0 * * *", "2018-11-03T00:00Z", "2018-11-06T00:00Z", "03T03:00 04T03:00 05T02:00"],
    // Santiago: 2027-09-05 00:00 becomes 01:00 (04:00Z).
    ["America/Santiago", "20 0 * * *", "2027-09-04T00:00Z", "2027-09-07T00:00Z", "04T04:20 05T04:00 06T03:20"],
    // Apia skipped a whole day: 2011-12-30 (30th, 10:00Z).
    ["Pacific/Apia", "0 12 * * *", "2011-12-29T00:00Z", "2011-12-31T20:00Z", "29T22:00 30T10:00 30T22:00"],
  ])("in %s `%s` fires once, at the end of the gap", (zone, expression, from, to, days) => {
    expect(firesBetween(cron(expression, zone), from, to).map((fire) => fire.slice(8, -1))).toEqual(days.split(" "));
  });

  test("several times in the gap and the minute after it are one fire", () => {
    const fires = firesBetween(cron("*/15 2,3 * * *", "Europe/Berlin"), "2027-03-28T00:00Z", "2027-03-28T02:00Z");
    expect(fires).toEqual(["2027-03-28T01:00Z", "2027-03-28T01:15Z", "2027-03-28T01:30Z", "2027-03-28T01:45Z"]);
  });

  test.each([
    ["Europe/Berlin", "30 * * * *", "2027-03-27T23:00Z", "2027-03-28T03:00Z", "27T23:30 28T00:30 28T01:30 28T02:30"],
    ["America/New_York", "30 * * * *", "2027-03-14T05:00Z", "2027-03-14T09:00Z", "14T05:30 14T06:30 14T07:30 14T08:30"],
    // Half an hour is skipped: 02:15 does not exist, and 03:15 is an hour and a half after 01:45.
    ["Australia/Lord_Howe", "15 * * * *", "2027-10-02T14:00Z", "2027-10-02T18:00Z", "02T14:45 02T16:15 02T17:15"],
    ["America/Sao_Paulo", "0 * * * *", "2018-11-04T01:30Z", "2018-11-04T05:30Z", "04T02:00 04T03:00 04T04:00 04T05:00"],
    ["America/Santiago", "5 * * * *", "2027-09-05T02:30Z", "2027-09-05T05:30Z", "05T03:05 05T04:05 05T05:05"],
  ])("in %s the hourly entry `%s` follows real hours", (zone, expression, from, to, days) => {
    expect(firesBetween(cron(expression, zone), from, to).map((fire) => fire.slice(8, -1))).toEqual(days.split(" "));
  });
});

describe("in autumn, when the clock is set back", () => {
  test.each([
    // Berlin: 2026-10-25 03:00 becomes 02:00 (01:00Z).
    ["Europe/Berlin", "30 2 * * *", "2026-10-24T00:00Z", "2026-10-27T00:00Z", "24T00:30 25T00:30 26T01:30"],
    // New York: 2026-11-01 02:00 becomes 01:00 (06:00Z).
    ["America/New_York", "30 1 * * *", "2026-10-31T00:00Z", "2026-11-03T00:00Z", "31T05:30 01T05:30 02T06:30"],
    // Lord Howe: 2027-04-04 02:00 becomes 01:30 (3rd, 15:00Z).
    ["Australia/Lord_Howe", "45 1 * * *", "2027-04-02T00:00Z", "2027-04-05T00:00Z", "02T14:45 03T14:45 04T15:15"],
    // Sao Paulo: 2018-02-18 00:00 became the 17th, 23:00 (02:00Z).
    ["America/Sao_Paulo", "30 23 * * *", "2018-02-17T00:00Z", "2018-02-20T00:00Z", "17T01:30 18T01:30 19T02:30"],
    // Santiago: 2027-04-04 00:00 becomes the 3rd, 23:00 (03:00Z).
    ["America/Santiago", "10 23 * * *", "2027-04-03T00:00Z", "2027-04-06T00:00Z", "03T02:10 04T02:10 05T03:10"],
  ])("in %s `%s` fires on the first pass only", (zone, expression, from, to, days) => {
    const expected = days.split(" ");
    const fires = firesBetween(cron(expression, zone), from, to).map((fire) => fire.slice(8, -1));
    expect(fires.slice(0, expected.length)).toEqual(expected);
    expect(fires).toHaveLength(expected.length);
  });

  test.each([
    ["Europe/Berlin", "30 * * * *", "2026-10-25T00:00Z", "2026-10-25T03:00Z", "00:30 01:30 02:30"],
    ["America/New_York", "0 * * * *", "2026-11-01T04:30Z", "2026-11-01T07:30Z", "05:00 06:00 07:00"],
    // The half hour from 01:30 occurs twice.
    [
      "Australia/Lord_Howe",
      "*/15 * * * *",
      "2027-04-03T14:20Z",
      "2027-04-03T15:50Z",
      "14:30 14:45 15:00 15:15 15:30 15:45",
    ],
    ["America/Sao_Paulo", "15 * * * *", "2018-02-18T00:30Z", "2018-02-18T03:30Z", "01:15 02:15 03:15"],
    ["America/Santiago", "0 * * * *", "2027-04-04T01:30Z", "2027-04-04T04:30Z", "02:00 03:00 04:00"],
  ])("in %s the hourly entry `%s` fires on both passes", (zone, expression, from, to, times) => {
    expect(firesBetween(cron(expression, zone), from, to).map((fire) => fire.slice(11, -1))).toEqual(times.split(" "));
  });
});

test("an entry at a fixed time fires once on every day of a year, also where the clock jumps at midnight", () => {
  const zones = ["Europe/Berlin", "America/New_York", "America/Santiago", "America/Havana", "Africa/Cairo"];
  zones.push("Africa/Casablanca", "Asia/Gaza", "Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Chatham");
  for (const zone of zones) {
    const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
    for (const time of ["0 0", "30 0", "45 1", "15 2", "30 2", "0 3", "59 23"]) {
      const fires = nextFires(cron(`${time} * * *`, zone), new Date("2027-01-01T12:00Z"), 365);
      expect(new Set(fires.map((fire) => dayOf.format(fire))).size, `${time} in ${zone}`).toBe(365);
    }
  }
});

describe("a plain calendar", () => {
  test.each([
    ["0 9 * * 1-5", "UTC", "2026-11-20T10:00Z", ["2026-11-23T09:00Z", "2026-11-24T09:00Z"]],
    ["0 0 29 2 *", "UTC", "2026-11-21T00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
    ["0 0 13 * 5", "UTC", "2026-11-01T00:00Z", ["2026-11-06T00:00Z", "2026-11-13T00:00Z"]],
    ["0 12 * * 7", "Europe/Berlin", "2026-11-21T00:00Z", ["2026-11-22T11:00Z", "2026-11-29T11:00Z"]],
    ["0 0 1 JAN *", "Asia/Kathmandu", "2026-11-21T00:00Z", ["2026-12-31T18:15Z", "2027-12-31T18:15Z"]],
    ["* * * * *", "UTC", "2026-11-21T11:00:30Z", ["2026-11-21T11:01Z", "2026-11-21T11:02Z"]],
  ])("`%s` in %s", (expression, zone, after, expected) => {
    expect(nextFires(cron(expression, zone), new Date(after), 2).map(short)).toEqual(expected);
  });

  test("an interval counts from its anchor, whenever it is checked", () => {
    const schedule: Schedule = { mode: "interval", seconds: 90, anchoredAt: new Date("2026-11-21T11:00:07Z") };
    const fires = nextFires(schedule, new Date("2026-11-21T11:05:00Z"), 2).map((fire) => fire.toISOString());
    expect(fires).toEqual(["2026-11-21T11:06:07.000Z", "2026-11-21T11:07:37.000Z"]);
  });
});

describe("after a downtime", () => {
  const every = (seconds: number): Schedule => ({
    mode: "interval",
    seconds,
    anchoredAt: new Date("2026-11-21T10:00Z"),
  });
  test.each([
    ["no delay", every(60), "10:01", "2026-11-21T10:01:00.400Z", { fire: "10:01", missed: 0, next: "10:02" }],
    ["five minutes late", every(60), "10:01", "2026-11-21T10:06:30Z", { fire: "10:06", missed: 5, next: "10:07" }],
    [
      "five minutes late, hourly",
      cron("0 * * * *", "UTC"),
      "11:00",
      "2026-11-21T11:05Z",
      { fire: "11:00", missed: 0, next: "12:00" },
    ],
    [
      "exactly an hour late",
      cron("0 11 * * *", "UTC"),
      "11:00",
      "2026-11-21T12:00Z",
      { fire: "11:00", missed: 0, next: "11:00" },
    ],
    [
      "more than an hour late",
      cron("0 11 * * *", "UTC"),
      "11:00",
      "2026-11-21T12:00:00.001Z",
      { fire: null, missed: 1, next: "11:00" },
    ],
    ["a day", cron("30 * * * *", "UTC"), "10:30", "2026-11-22T10:45Z", { fire: "10:30", missed: 24, next: "11:30" }],
    [
      "a day late, daily",
      cron("0 11 * * *", "UTC"),
      "11:00",
      "2026-11-22T17:00Z",
      { fire: null, missed: 2, next: "11:00" },
    ],
    [
      "a year of minutes late",
      cron("* * * * *", "UTC"),
      "10:01",
      "2027-11-21T10:01:20Z",
      { fire: "10:01", missed: 1_499, next: "10:02" },
    ],
  ])("%s", (_name, schedule, nextAt, now, expected) => {
    const due = dueFires(schedule, new Date(`2026-11-21T${nextAt}Z`), new Date(now));
    const clock = (moment: Date | null) => moment?.toISOString().slice(11, 16) ?? null;
    expect({ fire: clock(due.fire), missed: due.missed, next: clock(due.next) }).toEqual(expected);
    expect(due.next?.getTime()).toBeGreaterThan(new Date(now).getTime());
  });
});

describe("invalid expressions", () => {
  test.each([
    ["@daily", /five fields/],
    ["* * * * * *", /five fields/],
    ["0 0 * L *", /five fields/],
    ["0 0 * * 1#6", /five fields/],
    ["0 0 * * 1#2-3", /five fields/],
    ["0 0 15W * *", /five fields/],
    ["? * * * *", /five fields/],
    ["61 * * * *", /not a valid cron expression/],
    ["*/0 * * * *", /not a valid cron expression/],
    ["0 25 * * *", /not a valid cron expression/],
    ["0 0 31 2 *", /never fires/],
    ["", /five fields/],
  ])("%j", (expression, message) => {
    expect(explainExpression(expression)).toMatch(message);
  });

  test.each(["0 9 * * 1-5", "*/5 8-18 * * MON-FRI", "0 0 1,15 * *", "  0  0 * * 0 ", "0 0 L * *", "0 0 * * 1#2,MON#L"])(
    "%j is valid",
    (expression) => {
      expect(explainExpression(expression)).toBeNull();
    },
  );
});
