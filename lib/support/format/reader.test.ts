import { expect, test } from "vitest";
import { currentReader, englishLocale, readerIn, setReader } from "#lib/support/format/reader";

test.each([
  ["en-US", "en-US"],
  ["en-GB", "en-GB"],
  ["de-DE", "en-DE"],
  ["de", "en-DE"],
  ["en", "en-US"],
  ["ru-RU", "en-150"],
  ["not a locale", "en-US"],
])("a browser in %s gets English as in %s", (language, locale) => {
  expect(englishLocale(language)).toBe(locale);
});

test("a server formats in American English and UTC, whatever the machine's settings are", () => {
  expect(currentReader()).toEqual({ locale: "en-US", timeZone: "UTC" });
});

test("another zone leaves the conventions as they are", () => {
  setReader({ locale: "en-DE", timeZone: "Europe/Berlin" });
  expect(readerIn("Asia/Tokyo")).toEqual({ locale: "en-DE", timeZone: "Asia/Tokyo" });
  setReader(null);
});
