import { z } from "zod";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import {
  addSheet,
  appendRow,
  clearRange,
  createSpreadsheet,
  deleteRows,
  findRows,
  listSheets,
  updateRange,
  updateRow,
} from "#lib/connectors/vendors/google-sheets/call-sheets";
import {
  COLUMNS,
  cell,
  RENDERINGS,
  readValues,
  sheetName as sheet,
  spreadsheetId,
} from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { upsertRow } from "#lib/connectors/vendors/google-sheets/upsert-row";
import { writtenAs } from "#lib/contract/action/field-places";
import { numeric } from "#lib/support/numbers/numeric";

const DOCS = "https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets";
const ID = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";

const spreadsheet_id = spreadsheetId.meta({
  title: "Spreadsheet",
  description: "The id of the spreadsheet, or its URL from the browser.",
});
const range = z
  .string()
  .min(1)
  .max(300)
  .meta({ title: "Range", description: "For example, Orders!A1:F20.", ...writtenAs("range") });
const CELLS = writtenAs({ by: "input", is: { RAW: null }, otherwise: "cell" });
const input = z.enum(["USER_ENTERED", "RAW"]).nullish().meta({
  title: "Input mode",
  description:
    "USER_ENTERED parses values as if typed (dates, formulas); RAW stores them unchanged. USER_ENTERED if empty.",
});
const rowNumber = numeric(z.number().int().min(1)).meta({ title: "Row", description: "The row number in the sheet." });
const row = z.union([z.array(cell).max(1_000), z.record(z.string(), cell)]).meta({
  title: "Values",
  description:
    "An object with the column names in the first row as keys, {Name: …}, or a list that starts at column A.",
  ...COLUMNS,
  ...CELLS,
});
const grid = z
  .array(z.array(cell))
  .min(1)
  .meta({ title: "Values", description: "A list of rows, each a list of cells: [[…], […]].", ...CELLS });

const written = z.object({ updated_range: z.string(), updated_cells: z.number() });
const sheetObject = z.object({ sheet_id: z.number(), title: z.string(), index: z.number() });
const foundRow = z.object({ row_number: z.number(), values: z.record(z.string(), cell) });

const ROW_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  append_row: connectorOperation({
    kind: "create",
    title: "Add a row",
    description: "Adds a row below the last row of the sheet.",
    keywords: "append insert",
    docs: `${DOCS}.values/append`,
    params: z.object({ spreadsheet_id, sheet, values: row, input }),
    output: written.extend({ row_number: z.number() }),
    example: { spreadsheet_id: ID, sheet: "Orders", values: { Name: "Ada", Amount: 120 } },
    run: appendRow,
  }),
  update_row: connectorOperation({
    kind: "update",
    title: "Update a row",
    description: "Changes the given cells of a row and leaves the others as they are.",
    docs: `${DOCS}.values/batchUpdate`,
    params: z.object({ spreadsheet_id, sheet, row_number: rowNumber, values: row, input }),
    output: z.object({ row_number: z.number(), updated_cells: z.number() }),
    example: { spreadsheet_id: ID, sheet: "Orders", row_number: 7, values: { Paid: true } },
    run: updateRow,
  }),
  upsert_row: connectorOperation({
    kind: "update",
    title: "Add or update a row",
    description:
      "Updates the first row that has the same value in a column, and adds a row if there is none. Case does not matter.",
    keywords: "upsert",
    docs: `${DOCS}.values/batchUpdate`,
    params: z.object({
      spreadsheet_id,
      sheet,
      column: z
        .string()
        .min(1)
        .meta({ title: "Column to match", description: "The column name in the first row.", ...COLUMNS }),
      values: z.record(z.string(), cell).meta({
        title: "Values",
        description: "An object with the column names in the first row as keys, including the column to match.",
        ...COLUMNS,
        ...CELLS,
      }),
      input,
    }),
    output: z.object({ row_number: z.number(), updated_cells: z.number(), is_new: z.boolean() }),
    example: { spreadsheet_id: ID, sheet: "Orders", column: "Name", values: { Name: "Ada", Amount: 120 } },
    run: upsertRow,
  }),
  find_rows: connectorOperation({
    kind: "search",
    title: "Find rows",
    description: "Returns the rows that match a value in one column. The first row holds the column names.",
    docs: `${DOCS}.values/get`,
    params: z.object({
      spreadsheet_id,
      sheet,
      column: z
        .string()
        .min(1)
        .meta({ title: "Column", description: "The column name in the first row.", ...COLUMNS }),
      value: cell.meta({ title: "Value" }),
      match: z.enum(["equals", "contains"]).nullish().meta({ title: "Match", description: "equals if empty." }),
      limit: numeric(z.number().int().min(1).max(500)).nullish().meta({ title: "Limit", description: "50 if empty." }),
    }),
    output: z.object({ rows: z.array(foundRow), has_more: z.boolean() }),
    example: { spreadsheet_id: ID, sheet: "Orders", column: "Name", value: "Ada" },
    run: findRows,
  }),
  delete_rows: connectorOperation({
    kind: "delete",
    // Not idempotent: the rows below move up, so a second attempt would delete other rows.
    isIdempotent: false,
    title: "Delete rows",
    description: "Deletes rows from a sheet. The rows below move up.",
    docs: `${DOCS}/request#deletedimensionrequest`,
    params: z.object({
      spreadsheet_id,
      sheet,
      row_number: rowNumber,
      count: numeric(z.number().int().min(1).max(10_000))
        .nullish()
        .meta({ title: "Number of rows", description: "1 if empty." }),
    }),
    output: z.object({ deleted_rows: z.number() }),
    example: { spreadsheet_id: ID, sheet: "Orders", row_number: 7 },
    run: deleteRows,
  }),
};

/** https://developers.google.com/workspace/sheets/api/reference/rest */
export const GOOGLE_SHEETS_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...ROW_OPERATIONS,
  read_range: connectorOperation({
    kind: "read",
    title: "Read a range",
    description: "Returns the cells of a range, row by row.",
    docs: `${DOCS}.values/get`,
    params: z.object({
      spreadsheet_id,
      range,
      render: z.enum(RENDERINGS).nullish().meta({ title: "Format", description: "UNFORMATTED_VALUE if empty." }),
    }),
    output: z.object({ range: z.string(), values: z.array(z.array(cell)) }),
    example: { spreadsheet_id: ID, range: "Orders!A1:F20" },
    run: (service, { spreadsheet_id: id, range: asked, render }) =>
      readValues(service, id, asked, render ?? "UNFORMATTED_VALUE"),
  }),
  update_range: connectorOperation({
    kind: "update",
    title: "Write a range",
    description: "Writes values into the cells of a range, starting at its first cell.",
    docs: `${DOCS}.values/update`,
    params: z.object({ spreadsheet_id, range, values: grid, input }),
    output: written,
    example: { spreadsheet_id: ID, range: "Orders!A2:B2", values: [["Ada", 120]] },
    run: updateRange,
  }),
  clear_range: connectorOperation({
    kind: "delete",
    title: "Clear a range",
    description: "Clears the cells of a range and keeps their formatting.",
    docs: `${DOCS}.values/clear`,
    params: z.object({ spreadsheet_id, range }),
    output: z.object({ cleared_range: z.string() }),
    example: { spreadsheet_id: ID, range: "Orders!A2:F20" },
    run: clearRange,
  }),
  list_sheets: connectorOperation({
    kind: "read",
    title: "List sheets",
    description: "Lists the sheets of a spreadsheet.",
    docs: `${DOCS}/get`,
    params: z.object({ spreadsheet_id }),
    output: z.object({ spreadsheet_id: z.string(), title: z.string(), sheets: z.array(sheetObject) }),
    example: { spreadsheet_id: ID },
    run: listSheets,
  }),
  add_sheet: connectorOperation({
    kind: "create",
    title: "Add a sheet",
    description: "Adds a sheet to a spreadsheet.",
    docs: `${DOCS}/request#addsheetrequest`,
    params: z.object({ spreadsheet_id, title: z.string().min(1).max(100).meta({ title: "Name" }) }),
    output: sheetObject,
    example: { spreadsheet_id: ID, title: "March" },
    run: addSheet,
  }),
  create_spreadsheet: connectorOperation({
    kind: "create",
    title: "Create a spreadsheet",
    description: "Creates a spreadsheet in the Google Drive of the connected account.",
    docs: `${DOCS}/create`,
    params: z.object({
      title: z.string().min(1).max(500).meta({ title: "Name" }),
      sheets: z
        .array(z.string().min(1).max(100))
        .max(50)
        .nullish()
        .meta({ title: "Sheets", description: "The names of the sheets." }),
    }),
    output: z.object({ spreadsheet_id: z.string(), url: z.string(), title: z.string() }),
    example: { title: "March orders", sheets: ["Orders"] },
    run: createSpreadsheet,
  }),
};
