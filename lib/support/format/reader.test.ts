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
])("a browser in %s gets the English conventions of %s", (language, locale) => {
  expect(englishLocale(language)).toBe(locale);
});

test("a server formats in American English and UTC, regardless of the machine's settings", () => {
  expect(currentReader()).toEqual({ locale: "en-US", timeZone: "UTC" });
});

test("another zone does not change the other conventions", () => {
  setReader({ locale: "en-DE", timeZone: "Europe/Berlin" });
  expect(readerIn("Asia/Tokyo")).toEqual({ locale: "en-DE", timeZone: "Asia/Tokyo" });
  setReader(null);
});
