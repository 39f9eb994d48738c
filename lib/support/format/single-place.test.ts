import { expect, test } from "vitest";
import { listAllSources } from "#lib/source-files.fixture";

const FORMATS =
  /\.toLocale(?:Date|Time)?String\(|\bIntl\.(?:Number|DateTime|RelativeTime)Format\b|\bIntl\.PluralRules\b|\.toFixed\(/;
/** Reads the clock of a zone as numbers, not for display. */
const COMPUTES = "lib/core/schedules/wall-time.ts";

test("only this folder formats numbers and times for readers", () => {
  const formatters = listAllSources()
    .filter(({ path }) => /^(app|components|lib|worker)\//.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
    .filter(({ path }) => !path.startsWith("lib/support/format/") && path !== COMPUTES)
    .filter(({ text }) => FORMATS.test(text));
  expect(formatters.map(({ path }) => path)).toEqual([]);
});
