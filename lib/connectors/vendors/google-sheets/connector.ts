import type { ConnectionValues, ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { oauthAuth } from "#lib/connectors/sdk/oauth";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { statusError } from "#lib/connectors/sdk/status-error";
import { listSheets } from "#lib/connectors/vendors/google-sheets/call-sheets";
import { GOOGLE_SHEETS_OPERATIONS } from "#lib/connectors/vendors/google-sheets/operations";
import { SERVICE_ACCOUNT_FIELD, serviceAccountAssertion } from "#lib/connectors/vendors/google-sheets/service-account";
import { columnNames, quoted, readValues, spreadsheetId } from "#lib/connectors/vendors/google-sheets/sheet-rows";
import { GOOGLE_SHEETS_TRIGGERS } from "#lib/connectors/vendors/google-sheets/triggers";
import { StepError } from "#lib/contract/run/step-error";

/**
 * Lists the sheets and columns of a spreadsheet. The scope of a connection cannot list spreadsheets, only read them.
 */
const GOOGLE_SHEETS_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
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

const SCOPES = ["https://www.googleapis.com/auth/spreadsheets"];
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const NO_SPREADSHEET = "1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const shared = {
  tokenUrl: () => TOKEN_URL,
  scopes: () => SCOPES,
  clientAuthentication: "body" as const,
  origins: ({ base_url: baseUrl = "" }: ConnectionValues) => [new URL(baseUrl).origin],
  test: askForNothing,
};

/**
 * Tests the credentials by asking for a spreadsheet that does not exist. The API has no method that describes the
 * caller, and it returns "not found" only to an authorized one.
 */
async function askForNothing(service: ServiceContext): Promise<string> {
  const url = `${service.settings.base_url}/v4/spreadsheets/${NO_SPREADSHEET}?fields=spreadsheetId`;
  const response = await service.send({ method: "GET", url, headers: {}, signal: service.signal });
  if (response.status < 400 || response.status === 404) return "Google accepts the credentials.";
  throw statusError(new URL(url).host, response, service.now(), errorWords(response));
}

export const GOOGLE_SHEETS_CONNECTOR: ConnectorDefinition = {
  name: "google_sheets",
  label: "Google Sheets",
  description: "Read and write the rows and sheets of spreadsheets",
  keywords: "spreadsheet excel gsheets table csv worksheet",
  docs: "https://developers.google.com/workspace/sheets/api/reference/rest",
  addresses: { base_url: "https://sheets.googleapis.com" },
  auths: [
    oauthAuth({
      ...shared,
      grant: "authorization_code",
      label: "Sign in with Google",
      authorizeUrl: () => "https://accounts.google.com/o/oauth2/v2/auth",
      // Without these parameters, Google returns no refresh token, or only the first time.
      authorizeParameters: { access_type: "offline", prompt: "consent" },
    }),
    oauthAuth({
      ...shared,
      grant: "jwt_bearer",
      name: "service_account",
      label: "Service account",
      fields: [SERVICE_ACCOUNT_FIELD],
      assertion: (values, now) => serviceAccountAssertion(values, { audience: TOKEN_URL, scopes: SCOPES, now }),
    }),
  ],
  operations: GOOGLE_SHEETS_OPERATIONS,
  options: GOOGLE_SHEETS_OPTIONS,
  triggers: GOOGLE_SHEETS_TRIGGERS,
};
