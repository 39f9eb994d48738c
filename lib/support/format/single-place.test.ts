import { expect, test } from "vitest";
import { listAllSources } from "#lib/source-files.fixture";

const FORMATS =
  /\.toLocale(?:Date|Time)?String\(|\bIntl\.(?:Number|DateTime|RelativeTime)Format\b|\bIntl\.PluralRules\b|\.toFixed\(/;
/** Files that format nothing for a reader. */
const EXCEPT: readonly string[] = [
  // Reads the clock of a zone as numbers.
  "lib/core/schedules/wall-time.ts",
  // Finds out whether a zone exists.
  "lib/contract/workspace/time-zone.ts",
  // Writes a number into data, with the separators that the author of a workflow chose.
  "lib/core/expressions/functions/value-functions.ts",
];

test("only this folder formats numbers and times for readers", () => {
  const formatters = listAllSources()
    .filter(({ path }) => /^(app|components|lib|worker)\//.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
    .filter(({ path }) => !path.startsWith("lib/support/format/") && !EXCEPT.includes(path))
    .filter(({ text }) => FORMATS.test(text));
  expect(formatters.map(({ path }) => path)).toEqual([]);
});
