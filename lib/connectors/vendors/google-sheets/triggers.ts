import { createHash } from "node:crypto";
import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, Polled, TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import {
  type Cell,
  cell,
  columnNames,
  quoted,
  readValues,
  rowValues,
  sheetName,
  spreadsheetId,
} from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { formatNumber } from "#lib/support/format/format-number";

/** Rows beyond this are not watched: the cursor stores 8 characters per row. */
const ROWS_MAX = 10_000;
const AT_ONCE = 100;
const MARK_CHARACTERS = 8;
/** The mark of an empty row, and of a row that waits for the next poll. */
const NO_MARK = "-".repeat(MARK_CHARACTERS);

const params = z.object({
  spreadsheet_id: spreadsheetId.meta({
    title: "Spreadsheet",
    description: "The id of the spreadsheet, or its URL from the browser.",
  }),
  sheet: sheetName,
  columns: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{1,3}:[A-Za-z]{1,3}$/, "must look like A:F")
    .nullish()
    .meta({ title: "Columns", description: "For example, A:F. All columns if empty." }),
  has_header: z.boolean().nullish().meta({ title: "First row holds column names", description: "Yes if empty." }),
});
type Params = z.output<typeof params>;

const cursorSchema = z.object({ marks: z.string() });

const data = z.object({
  spreadsheet_id: z.string(),
  sheet: z.string(),
  row_number: z.number().describe("The row number in the sheet; the first row is 1."),
  change: z.enum(["added", "edited"]),
  values: z.record(z.string(), cell).describe("Values by the names in the first row, or by column letter."),
});

export const GOOGLE_SHEETS_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  row_changed: {
    title: "Row added or edited",
    description: `A person or a program adds or edits a row. Signalbox watches only the first ${formatNumber(ROWS_MAX)} rows. Moving or deleting rows doesn't start a run.`,
    docs: "https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get",
    params,
    data,
    example: {
      spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
      sheet: "Orders",
      row_number: 7,
      change: "added",
      values: { Name: "Ada", Amount: 120, Paid: true },
    },
    poll: {
      everySeconds: 60,
      list: async (service, { cursor, params: given }) => {
        const watched = params.parse(given);
        const rows = await readRows(service, watched);
        const marks = rows.map(markOf);
        if (cursor === null) return { events: [], cursor: { marks: marks.join("") } };
        const before = cursorSchema.parse(cursor).marks.match(/.{8}/g) ?? [];
        return compare(watched, rows, { marks, before }, service.now());
      },
    },
  },
};

async function readRows(service: ServiceContext, { spreadsheet_id: id, sheet, columns }: Params): Promise<Cell[][]> {
  const [first, last] = columns?.toUpperCase().split(":") ?? ["", ""];
  const { values } = await readValues(service, id, `${quoted(sheet)}!${first}1:${last}${ROWS_MAX}`);
  return values.slice(0, ROWS_MAX);
}

/** 48 bits of a hash: two rows of one sheet share it once in billions of sheets. */
function markOf(cells: readonly Cell[]): string {
  const filled = cells.findLastIndex((value) => value !== null && value !== "");
  if (filled < 0) return NO_MARK;
  const text = JSON.stringify(cells.slice(0, filled + 1));
  return createHash("sha256").update(text).digest().subarray(0, 6).toString("base64url");
}

interface Marks {
  marks: readonly string[];
  before: readonly string[];
}

/**
 * Compares the rows with the previous poll. A row is new if no previous row had the same content, at any position:
 * inserting or deleting a row moves all rows below it, and sorting moves everything, but neither edits anything.
 */
function compare(watched: Params, rows: readonly Cell[][], { marks, before }: Marks, now: Date): Polled {
  const isHeaded = watched.has_header ?? true;
  const left = countOf(before);
  const fresh: number[] = [];
  for (const [index, mark] of marks.entries()) {
    const count = left.get(mark) ?? 0;
    if (count > 0) left.set(mark, count - 1);
    else if (mark !== NO_MARK && !(isHeaded && index === 0)) fresh.push(index);
  }
  const names = isHeaded ? columnNames(rows[0] ?? []) : [];
  const taken = fresh.slice(0, AT_ONCE);
  const waiting = new Set(fresh.slice(AT_ONCE));
  return {
    events: taken.map((index) => {
      // The row was edited if the content previously at its position is no longer anywhere in the sheet.
      const isEdited = (left.get(before[index] ?? NO_MARK) ?? 0) > 0 && before[index] !== NO_MARK;
      return toEvent(watched, index + 1, { values: rowValues(names, rows[index] ?? []), isEdited }, now);
    }),
    cursor: { marks: marks.map((mark, index) => (waiting.has(index) ? NO_MARK : mark)).join("") },
    isMore: waiting.size > 0,
  };
}

function countOf(marks: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mark of marks) if (mark !== NO_MARK) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

function toEvent(
  { spreadsheet_id: id, sheet }: Params,
  rowNumber: number,
  { values, isEdited }: { values: Record<string, Cell>; isEdited: boolean },
  now: Date,
): ConnectorEvent {
  const change = isEdited ? "edited" : "added";
  return {
    event: "row_changed",
    // A row may be edited back and forth, and each edit is its own event. The cursor prevents duplicates.
    id: `${id}/${sheet}/${rowNumber}/${now.getTime()}`,
    occurredAt: null,
    data: { spreadsheet_id: id, sheet, row_number: rowNumber, change, values },
  };
}
