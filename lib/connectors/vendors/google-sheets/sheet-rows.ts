import { z } from "zod";
import { callService, pathOf } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { optionsFrom } from "#lib/contract/action/field-options";
import { StepError } from "#lib/contract/run/step-error";
import { setOwn } from "#lib/support/json";

export const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.output<typeof cell>;
/** Cells by the names in the first row, or by the column letter if a column has no name. */
export type RowValues = Record<string, Cell>;

/** The name of a sheet in the spreadsheet that `spreadsheet_id` names. */
export const sheetName = z
  .string()
  .min(1)
  .max(200)
  .meta({
    title: "Sheet",
    description: "The name on the sheet's tab.",
    ...optionsFrom("sheets", { requires: ["spreadsheet_id"] }),
  });

/** Lists the columns of the sheet that `sheet` names. */
export const COLUMNS = optionsFrom("columns", { requires: ["spreadsheet_id", "sheet"] });

/** A spreadsheet's id, or its URL from the browser. */
export const spreadsheetId = z
  .string()
  .trim()
  .transform((text) => /\/spreadsheets\/d\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? text)
  .refine((text) => /^[A-Za-z0-9_-]{10,200}$/.test(text), "must be the id or the URL of a spreadsheet");

const valueRange = z.object({ range: z.string(), values: z.array(z.array(cell)).default([]) });

/** Quotes a sheet's name for a range: `'Ada''s list'`. */
export function quoted(sheet: string): string {
  return `'${sheet.replaceAll("'", "''")}'`;
}

/** Returns the letters of a column: 0 is A, 26 is AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

export const RENDERINGS = ["UNFORMATTED_VALUE", "FORMATTED_VALUE", "FORMULA"] as const;

/**
 * https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get
 * @returns the rows of a range, without empty cells at the end of a row and empty rows at the end
 * @throws StepError
 */
export async function readValues(
  service: ServiceContext,
  id: string,
  range: string,
  render: (typeof RENDERINGS)[number] = "UNFORMATTED_VALUE",
): Promise<{ range: string; values: Cell[][] }> {
  const answer = await callService(service, {
    method: "GET",
    path: pathOf`/v4/spreadsheets/${id}/values/${range}`,
    query: { majorDimension: "ROWS", valueRenderOption: render, dateTimeRenderOption: "FORMATTED_STRING" },
  });
  return readSheetsAnswer(valueRange, answer);
}

/** @throws StepError UPSTREAM_ERROR */
export function readSheetsAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Google Sheets API");
}

/** Returns the column names. A duplicate or missing name is replaced by the column's letter. */
export function columnNames(header: readonly Cell[]): string[] {
  const names: string[] = [];
  for (const [index, written] of header.entries()) {
    const name = String(written ?? "").trim();
    names.push(name === "" || names.includes(name) ? columnName(index) : name);
  }
  return names;
}

/** Returns a row keyed by column name; empty cells are null. */
export function rowValues(names: readonly string[], cells: readonly Cell[]): RowValues {
  const values: RowValues = {};
  for (let index = 0; index < Math.max(names.length, cells.length); index += 1) {
    const value = cells[index] ?? null;
    setOwn(values, names[index] ?? columnName(index), value === "" ? null : value);
  }
  return values;
}

/** @throws StepError VALIDATION_ERROR if the sheet has no such column */
export function columnOf(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const known = names.map((known) => `"${known}"`).join(", ");
  throw new StepError(
    "VALIDATION_ERROR",
    `values: the sheet has no column "${name}"; its columns are ${known || "none"}`,
  );
}
