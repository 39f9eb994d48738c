import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import {
  appendRow,
  type InputMode,
  isFit,
  namesOf,
  type Sheet,
  updateRow,
} from "#lib/connectors/vendors/google-sheets/call-sheets";
import {
  type Cell,
  columnName,
  columnOf,
  quoted,
  type RowValues,
  readValues,
} from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { StepError } from "#lib/contract/run/step-error";

/**
 * Updates the first row that has the same value in a column as `values`, or appends a row. The Sheets API cannot do both
 * at once, so two calls at the same moment can append two rows.
 * @throws StepError
 */
export async function upsertRow(
  service: ServiceContext,
  given: Sheet & { column: string; values: RowValues; input?: InputMode },
) {
  const { spreadsheet_id: id, sheet, column, values } = given;
  const value = values[column] ?? null;
  if (value === null || String(value).trim() === "") {
    throw new StepError("VALIDATION_ERROR", `values: must contain a value for the column "${column}"`);
  }
  const letters = columnName(columnOf(await namesOf(service, given), column));
  const { values: cells } = await readValues(service, id, `${quoted(sheet)}!${letters}2:${letters}`);
  const wanted = given.input === "RAW" ? value : shownOf(value);
  const index = cells.findIndex(([found = null]) => isFit(found, { value: wanted, match: "equals" }));
  if (index < 0) {
    const { row_number, updated_cells } = await appendRow(service, given);
    return { row_number, updated_cells, is_new: true };
  }
  return { ...(await updateRow(service, { ...given, row_number: index + 2 })), is_new: false };
}

/** Returns what a cell shows of a value that is entered: an apostrophe at the start only says that it is text. */
function shownOf(value: Cell): Cell {
  return typeof value === "string" && value.startsWith("'") ? value.slice(1) : value;
}
