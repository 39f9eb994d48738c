import { z } from "zod";
import { callService, pathOf } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { optionsFrom } from "#lib/contract/field-options";
import { StepError } from "#lib/contract/step-error";
import { setOwn } from "#lib/support/json";

export const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.output<typeof cell>;
/** By the names in the first row; by the letter of its column where there is no name. */
export type RowValues = Record<string, Cell>;

/** A sheet of the params' `spreadsheet_id`. */
export const sheetName = z
  .string()
  .min(1)
  .max(200)
  .meta({
    title: "Sheet",
    description: "Its name, as the tab shows it.",
    ...optionsFrom("sheets", { requires: ["spreadsheet_id"] }),
  });

/** The columns of the params' `sheet`. */
export const COLUMNS = optionsFrom("columns", { requires: ["spreadsheet_id", "sheet"] });

/** An id, or the address of a spreadsheet as a browser shows it. */
export const spreadsheetId = z
  .string()
  .trim()
  .transform((text) => /\/spreadsheets\/d\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? text)
  .refine((text) => /^[A-Za-z0-9_-]{10,200}$/.test(text), "must be the id or the address of a spreadsheet");

const valueRange = z.object({ range: z.string(), values: z.array(z.array(cell)).default([]) });

/** A sheet's name as ranges spell it: `'Ada''s list'`. */
export function quoted(sheet: string): string {
  return `'${sheet.replaceAll("'", "''")}'`;
}

/** 0 is A, 26 is AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

export const RENDERINGS = ["UNFORMATTED_VALUE", "FORMATTED_VALUE", "FORMULA"] as const;

/**
 * https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get
 * @returns the rows of a range; empty cells at the end of a row and empty rows at the end are left out
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
  throw new StepError("answer_unreadable", "The answer cannot be read: it is not what the Sheets API says");
}

/** What the columns are called. A name that comes again, or none, gives way to the column's letter. */
export function columnNames(header: readonly Cell[]): string[] {
  const names: string[] = [];
  for (const [index, written] of header.entries()) {
    const name = String(written ?? "").trim();
    names.push(name === "" || names.includes(name) ? columnName(index) : name);
  }
  return names;
}

/** A row by its columns' names; what is empty is null. */
export function rowValues(names: readonly string[], cells: readonly Cell[]): RowValues {
  const values: RowValues = {};
  for (let index = 0; index < Math.max(names.length, cells.length); index += 1) {
    const value = cells[index] ?? null;
    setOwn(values, names[index] ?? columnName(index), value === "" ? null : value);
  }
  return values;
}

/** @throws StepError VALIDATION_ERROR where the sheet has no such column */
export function columnOf(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const known = names.map((known) => `"${known}"`).join(", ");
  throw new StepError("VALIDATION_ERROR", `values: the sheet has no column "${name}"; it has ${known || "none"}`);
}
