import { z } from "zod";
import { callService, pathOf } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import {
  type Cell,
  columnName,
  columnNames,
  columnOf,
  quoted,
  type RowValues,
  readSheetsAnswer,
  readValues,
  rowValues,
} from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";

export type InputMode = "USER_ENTERED" | "RAW" | null | undefined;
export interface Sheet {
  spreadsheet_id: string;
  sheet: string;
}

const updated = z.object({ updatedRange: z.string(), updatedCells: z.number().default(0) });
const appended = z.object({ tableRange: z.string().optional(), updates: updated });
const FOUND = 50;

/** @throws StepError */
export async function appendRow(
  service: ServiceContext,
  { spreadsheet_id: id, sheet, values, input }: Sheet & { values: Cell[] | RowValues; input?: InputMode },
) {
  const row = Array.isArray(values) ? values : await arranged(service, { spreadsheet_id: id, sheet }, values);
  const answer = await callService(service, {
    method: "POST",
    path: `${pathOf`/v4/spreadsheets/${id}/values/${`${quoted(sheet)}!A1`}`}:append`,
    query: { valueInputOption: input ?? "USER_ENTERED", insertDataOption: "INSERT_ROWS" },
    json: { majorDimension: "ROWS", values: [row] },
  });
  const { updates, tableRange } = readSheetsAnswer(appended, answer);
  const [at, table] = [cellOf(updates.updatedRange), cellOf(tableRange ?? "")];
  if (!at) throw new StepError("answer_unreadable", "The response can't be read: it does not say where the row is");
  assertWritten(updates.updatedCells, row);
  const shown = { row_number: at.row, updated_range: updates.updatedRange, updated_cells: updates.updatedCells };
  // Google leaves out the empty cells at the start of a row that is in its place.
  const isInPlace = at.column === 0 || (at.column === row.findIndex(isGiven) && (table?.column ?? 0) === 0);
  return isInPlace ? shown : { ...shown, updated_range: await moveToTable(service, { id, sheet, row, at, input }) };
}

interface Place {
  column: number;
  row: number;
}

interface Misplaced {
  id: string;
  sheet: string;
  row: Cell[];
  at: Place;
  input: InputMode;
}

/**
 * Moves an appended row to column A, where the columns of the sheet start. Google looks for a table near A1 and appends
 * below the one it finds, which can start further right: then every value is in the column of another. The row was
 * inserted for these values, so its other cells are empty.
 * @returns the range of the row
 * @throws StepError if the row stays where it is: a retry would add another one
 */
async function moveToTable(service: ServiceContext, { id, sheet, row, at, input }: Misplaced): Promise<string> {
  const cells = Array.from({ length: at.column + row.length }, (_, index) => row[index] ?? "");
  const range = `${quoted(sheet)}!A${at.row}`;
  try {
    const answer = await callService(service, {
      method: "POST",
      path: `${pathOf`/v4/spreadsheets/${id}/values`}:batchUpdate`,
      json: { valueInputOption: input ?? "USER_ENTERED", data: [{ range, values: [cells] }] },
    });
    const { totalUpdatedCells } = readSheetsAnswer(z.object({ totalUpdatedCells: z.number().default(0) }), answer);
    assertWritten(totalUpdatedCells, row);
    return `${range}:${columnName(row.length - 1)}${at.row}`;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const place = `${columnName(at.column)}${at.row}`;
    const message = `The row was added at ${place}, next to the table, and can't be moved to column A: ${error.message}`;
    throw new AnsweredError("service_refused", message);
  }
}

/** Reads the first cell of a range such as `'Ada''s list'!B4:D4`. */
function cellOf(range: string): Place | null {
  const [, letters = "", row = ""] = /^\$?([A-Z]{1,3})\$?(\d+)/.exec(range.slice(range.lastIndexOf("!") + 1)) ?? [];
  if (row === "") return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, row: Number(row) };
}

function isGiven(value: Cell): boolean {
  return value !== null;
}

/** @throws StepError if Google accepted values and wrote none of them */
function assertWritten(count: number, values: readonly Cell[]): void {
  if (count > 0 || !values.some(isGiven)) return;
  throw new AnsweredError("service_refused", "Google Sheets accepted the request, but wrote no cell");
}

/**
 * Updates only the given cells, each in the column that its name refers to.
 * @throws StepError
 */
export async function updateRow(
  service: ServiceContext,
  given: Sheet & { row_number: number; values: Cell[] | RowValues; input?: InputMode },
) {
  const { spreadsheet_id: id, sheet, row_number: row, values, input } = given;
  const data = Array.isArray(values)
    ? [{ range: `${quoted(sheet)}!A${row}`, values: [values] }]
    : await cellsOf(service, given, values);
  const answer = await callService(service, {
    method: "POST",
    path: `${pathOf`/v4/spreadsheets/${id}/values`}:batchUpdate`,
    json: { valueInputOption: input ?? "USER_ENTERED", data },
  });
  const { totalUpdatedCells } = readSheetsAnswer(z.object({ totalUpdatedCells: z.number().default(0) }), answer);
  assertWritten(
    totalUpdatedCells,
    data.flatMap((item) => item.values.flat()),
  );
  return { row_number: row, updated_cells: totalUpdatedCells };
}

async function cellsOf(service: ServiceContext, given: Sheet & { row_number: number }, values: RowValues) {
  const names = await namesOf(service, given);
  return Object.entries(values).map(([name, value]) => ({
    range: `${quoted(given.sheet)}!${columnName(columnOf(names, name))}${given.row_number}`,
    // Null would leave the cell unchanged.
    values: [[value ?? ""]],
  }));
}

async function arranged(service: ServiceContext, sheet: Sheet, values: RowValues): Promise<Cell[]> {
  const names = await namesOf(service, sheet);
  const row: Cell[] = names.map(() => null);
  for (const [name, value] of Object.entries(values)) row[columnOf(names, name)] = value;
  return row;
}

/** Returns the column names of a sheet. */
export async function namesOf(service: ServiceContext, { spreadsheet_id: id, sheet }: Sheet): Promise<string[]> {
  const { values } = await readValues(service, id, `${quoted(sheet)}!1:1`, "FORMATTED_VALUE");
  return columnNames(values[0] ?? []);
}

interface Search extends Sheet {
  column: string;
  value: Cell;
  match?: "equals" | "contains" | null | undefined;
  limit?: number | null | undefined;
}

/** @throws StepError */
export async function findRows(service: ServiceContext, { spreadsheet_id: id, sheet, ...search }: Search) {
  const { values } = await readValues(service, id, quoted(sheet));
  const [header = [], ...rows] = values;
  const names = columnNames(header);
  const index = columnOf(names, search.column);
  const fits = rows.flatMap((cells, at) => (isFit(cells[index] ?? null, search) ? [{ cells, row: at + 2 }] : []));
  const limit = search.limit ?? FOUND;
  return {
    rows: fits.slice(0, limit).map(({ cells, row }) => ({ row_number: row, values: rowValues(names, cells) })),
    has_more: fits.length > limit,
  };
}

/** Compares as a person would: 120 equals "120", and case does not matter. */
export function isFit(found: Cell, { value, match }: Pick<Search, "value" | "match">): boolean {
  const [text, wanted] = [found, value].map((item) =>
    String(item ?? "")
      .trim()
      .toLowerCase(),
  );
  return match === "contains" ? (text ?? "").includes(wanted ?? "") : text === wanted;
}

/** @throws StepError */
export async function updateRange(
  service: ServiceContext,
  {
    spreadsheet_id: id,
    range,
    values,
    input,
  }: { spreadsheet_id: string; range: string; values: Cell[][]; input?: InputMode },
) {
  const answer = await callService(service, {
    method: "PUT",
    path: pathOf`/v4/spreadsheets/${id}/values/${range}`,
    query: { valueInputOption: input ?? "USER_ENTERED" },
    json: { majorDimension: "ROWS", values },
  });
  const { updatedRange, updatedCells } = readSheetsAnswer(updated, answer);
  assertWritten(updatedCells, values.flat());
  return { updated_range: updatedRange, updated_cells: updatedCells };
}

/** @throws StepError */
export async function clearRange(
  service: ServiceContext,
  { spreadsheet_id: id, range }: { spreadsheet_id: string; range: string },
) {
  const path = `${pathOf`/v4/spreadsheets/${id}/values/${range}`}:clear`;
  const answer = await callService(service, { method: "POST", path, json: {} });
  return { cleared_range: readSheetsAnswer(z.object({ clearedRange: z.string() }), answer).clearedRange };
}

const properties = z.object({ sheetId: z.number(), title: z.string(), index: z.number().default(0) });
type Properties = z.output<typeof properties>;
const book = z.object({
  spreadsheetId: z.string(),
  properties: z.object({ title: z.string() }),
  sheets: z.array(z.object({ properties })),
});

/** @throws StepError */
export async function listSheets(service: ServiceContext, { spreadsheet_id: id }: { spreadsheet_id: string }) {
  const answer = await callService(service, {
    method: "GET",
    path: pathOf`/v4/spreadsheets/${id}`,
    query: { fields: "spreadsheetId,properties.title,sheets.properties(sheetId,title,index)" },
  });
  const found = readSheetsAnswer(book, answer);
  const sheets = found.sheets.map(({ properties: sheet }) => presentSheet(sheet));
  return { spreadsheet_id: found.spreadsheetId, title: found.properties.title, sheets };
}

function presentSheet({ sheetId, title, index }: Properties) {
  return { sheet_id: sheetId, title, index };
}

/** @throws StepError */
export async function addSheet(
  service: ServiceContext,
  { spreadsheet_id: id, title }: { spreadsheet_id: string; title: string },
) {
  const answer = await changeBook(service, id, { addSheet: { properties: { title } } });
  const { replies } = readSheetsAnswer(
    z.object({ replies: z.array(z.object({ addSheet: z.object({ properties }) })) }),
    answer,
  );
  const [reply] = replies;
  if (reply) return presentSheet(reply.addSheet.properties);
  throw new StepError("answer_unreadable", "The response can't be read: it does not describe the new sheet");
}

/** @throws StepError */
export async function deleteRows(
  service: ServiceContext,
  {
    spreadsheet_id: id,
    sheet,
    row_number: row,
    count,
  }: Sheet & { row_number: number; count?: number | null | undefined },
) {
  const { sheets } = await listSheets(service, { spreadsheet_id: id });
  const found = sheets.find(({ title }) => title === sheet);
  if (!found) throw new StepError("VALIDATION_ERROR", `sheet: there is no sheet "${sheet}"`);
  const deleted = count ?? 1;
  const range = { sheetId: found.sheet_id, dimension: "ROWS", startIndex: row - 1, endIndex: row - 1 + deleted };
  await changeBook(service, id, { deleteDimension: { range } });
  return { deleted_rows: deleted };
}

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/batchUpdate */
function changeBook(service: ServiceContext, id: string, request: object): Promise<unknown> {
  const path = `${pathOf`/v4/spreadsheets/${id}`}:batchUpdate`;
  return callService(service, { method: "POST", path, json: { requests: [request] } });
}

/** @throws StepError */
export async function createSpreadsheet(
  service: ServiceContext,
  { title, sheets }: { title: string; sheets?: readonly string[] | null | undefined },
) {
  const named = sheets?.length ? { sheets: sheets.map((name) => ({ properties: { title: name } })) } : {};
  const json = { properties: { title }, ...named };
  const answer = await callService(service, { method: "POST", path: "/v4/spreadsheets", json });
  const made = readSheetsAnswer(z.object({ spreadsheetId: z.string(), spreadsheetUrl: z.string() }), answer);
  return { spreadsheet_id: made.spreadsheetId, url: made.spreadsheetUrl, title };
}
