import { expect, test } from "vitest";
import { readMoment } from "#lib/core/steps/delay/read-moment";

test.each([
  ["2027-03-01T09:00:00Z", "UTC", "2027-03-01T09:00:00.000Z"],
  ["2027-03-01T09:00:00.123456+02:00", "America/New_York", "2027-03-01T07:00:00.123Z"],
  ["2027-03-01t09:00-0530", "UTC", "2027-03-01T14:30:00.000Z"],
  [" 2027-03-01T09:00 ", "Europe/Berlin", "2027-03-01T08:00:00.000Z"],
  ["2027-07-01 09:00:30", "Europe/Berlin", "2027-07-01T07:00:30.000Z"],
  ["2027-07-01", "Europe/Berlin", "2027-06-30T22:00:00.000Z"],
])("%j in %s is %s", (text, zone, expected) => {
  expect(new Date(readMoment(text, zone) ?? Number.NaN).toISOString()).toBe(expected);
});

test("a local time that occurs twice is the first of the two", () => {
  expect(readMoment("2027-10-31T02:30", "Europe/Berlin")).toBe(Date.parse("2027-10-31T00:30:00Z"));
});

test("a local time that does not exist is the first moment after the gap", () => {
  expect(readMoment("2027-03-28T02:30", "Europe/Berlin")).toBe(Date.parse("2027-03-28T01:00:00Z"));
});

test.each([
  // The first moment of a day without midnight.
  ["2027-09-05", "America/Santiago", "2027-09-05T04:00:00Z"],
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  // A day that the zone left out.
  ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
  // A gap and an overlap of half an hour.
  ["2027-10-03T02:15", "Australia/Lord_Howe", "2027-10-02T15:30:00Z"],
  ["2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00Z"],
  // An offset says which of two equal clocks is meant.
  ["2027-10-31T02:30+01:00", "Europe/Berlin", "2027-10-31T01:30:00Z"],
  ["2027-07-01T12:00", "Asia/Kathmandu", "2027-07-01T06:15:00Z"],
])("%s in %s is %s, whatever the clock does there", (text, zone, moment) => {
  expect(readMoment(text, zone)).toBe(Date.parse(moment));
});

test.each([
  "",
  "soon",
  "09:00",
  "2027-02-30",
  "2027-03-01T24:00",
  "2027-03-01T09:60",
  "1735689600000",
  "2027-3-1",
  "2027-03-01T09:00+99:99",
])("%j is not a time", (text) => {
  expect(readMoment(text, "UTC")).toBeNull();
});
