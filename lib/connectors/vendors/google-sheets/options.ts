import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { listSheets } from "#lib/connectors/vendors/google-sheets/call-sheets";
import { columnNames, quoted, readValues, spreadsheetId } from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { StepError } from "#lib/contract/step-error";

/**
 * Lists the sheets and columns of a spreadsheet. The scope of a connection cannot list spreadsheets, only read them.
 */
export const GOOGLE_SHEETS_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  sheets: async (service, { params }) => {
    const { sheets } = await listSheets(service, { spreadsheet_id: idOf(params.spreadsheet_id) });
    return { options: sheets.map(({ title }) => ({ value: title, label: title })) };
  },
  columns: async (service, { params: { spreadsheet_id: id, sheet = "" } }) => {
    const { values } = await readValues(service, idOf(id), `${quoted(sheet)}!1:1`, "FORMATTED_VALUE");
    return { options: columnNames(values[0] ?? []).map((name) => ({ value: name, label: name })) };
  },
};

/** @throws StepError VALIDATION_ERROR */
function idOf(given: string | undefined): string {
  const parsed = spreadsheetId.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new StepError("VALIDATION_ERROR", "spreadsheet_id: must be the id or the URL of a spreadsheet");
}
