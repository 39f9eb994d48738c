import { createVerify, generateKeyPairSync } from "node:crypto";
import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";
import type { Cell } from "#lib/connectors/vendors/google-sheets/sheet-rows";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ACCOUNT = "robot@project.iam.gserviceaccount.com";

/** A key file in Google's download format. */
export const KEY_FILE = JSON.stringify({
  type: "service_account",
  project_id: "project",
  private_key_id: "key-1",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  client_email: ACCOUNT,
  token_uri: "https://oauth2.googleapis.com/token",
});

export const BOOK = "1BookOfOrders_canary";

interface Sheet {
  sheetId: number;
  title: string;
  rows: Cell[][];
}

/** Spreadsheets and the token endpoint: https://developers.google.com/workspace/sheets/api/reference/rest. */
export interface TestSheets extends TestVendor {
  books: Map<string, { title: string; sheets: Sheet[] }>;
  /** The rows of the first sheet of BOOK. */
  rows: Cell[][];
  /** The tokens that the server accepts. An empty set means that all tokens are revoked. */
  tokens: Set<string>;
  /** The claims in the service account's last request. */
  claims: Record<string, unknown> | null;
}

/** For tests: starts a server that behaves like the Sheets API. */
export async function startSheets(): Promise<TestSheets> {
  const rows: Cell[][] = [];
  const google: TestSheets = Object.assign(await startVendor(answer), {
    books: new Map([[BOOK, { title: "Shop", sheets: [{ sheetId: 0, title: "Ada's orders", rows }] }]]),
    rows,
    tokens: new Set<string>(),
    claims: null,
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.path === "/token") return grant(request.form);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!google.tokens.has(token)) return refusal(401, "Request had invalid authentication credentials.");
    if (request.path === "/v4/spreadsheets" && request.method === "POST") return create(request.json);
    const [, id = "", rest = ""] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(request.path) ?? [];
    const book = google.books.get(id);
    if (!book) return refusal(404, "Requested entity was not found.");
    if (rest === "") return { json: { ...present(id, book), sheets: book.sheets.map(presentSheet) } };
    if (rest === ":batchUpdate") return changeBook(book.sheets, request.json);
    return ofValues(book.sheets, request, decodeURIComponent(rest.replace(/^\/values\/?/, "")));
  }

  function grant(form: URLSearchParams): VendorAnswer {
    const [head = "", body = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const isSigned = createVerify("RSA-SHA256").update(`${head}.${body}`).verify(publicKey, signature, "base64url");
    if (!isSigned)
      return { status: 400, json: { error: "invalid_grant", error_description: "Invalid JWT Signature." } };
    google.claims = { ...part(head), ...part(body), grant_type: form.get("grant_type") };
    const token = `ya29.canary-${google.tokens.size}-${Date.now()}`;
    google.tokens.add(token);
    return { json: { access_token: token, expires_in: 3_599, token_type: "Bearer" } };
  }

  function create({ properties, sheets }: Record<string, unknown>): VendorAnswer {
    const id = `1Made_${google.books.size}_canary`;
    const { title } = properties as { title: string };
    const asked = (sheets as { properties: { title: string } }[] | undefined) ?? [{ properties: { title: "Sheet1" } }];
    const made = asked.map((sheet, index) => ({ sheetId: index, title: sheet.properties.title, rows: [] }));
    google.books.set(id, { title, sheets: made });
    return { json: present(id, { title }) };
  }
  return google;
}

function ofValues(sheets: Sheet[], { method, json, query }: VendorRequest, rest: string): VendorAnswer {
  const [, text = "", verb = ""] = /^(.*?)(?::(append|clear|batchUpdate))?$/.exec(rest) ?? [];
  if (verb === "batchUpdate") {
    const data = json.data as { range: string; values: Cell[][] }[];
    const cells = data.map((item) => write(sheets, item.range, item.values)?.updatedCells ?? 0);
    return { json: { totalUpdatedCells: cells.reduce((sum, count) => sum + count, 0) } };
  }
  const range = parseRange(sheets, text);
  if (!range) return refusal(400, `Unable to parse range: ${text}`);
  const { sheet, top, bottom, left, right } = range;
  if (verb === "append") {
    if (!query.has("valueInputOption")) return refusal(400, "'valueInputOption' is required but not specified");
    const at = `${quote(sheet)}!A${sheet.rows.length + 1}`;
    return { json: { updates: write(sheets, at, json.values as Cell[][]) } };
  }
  if (verb === "clear") {
    for (const row of sheet.rows.slice(top, bottom))
      for (let x = left; x < Math.min(right, row.length); x += 1) row[x] = "";
    return { json: { clearedRange: text } };
  }
  if (method === "PUT") return { json: write(sheets, text, json.values as Cell[][]) };
  const values = sheet.rows.slice(top, bottom).map((row) => trimmed(row.slice(left, right)));
  while (values.at(-1)?.length === 0) values.pop();
  return { json: { range: text, majorDimension: "ROWS", ...(values.length > 0 ? { values } : {}) } };
}

/** Parses ranges such as `'Name'!B2:C5`, `'Name'!1:1`, `'Name'!A1:F10000`, and `Name`. */
function parseRange(sheets: Sheet[], text: string) {
  const [, quoted, plain, cells = ""] = /^(?:'((?:[^']|'')+)'|([^'!]+))(?:!(.+))?$/.exec(text) ?? [];
  const sheet = sheets.find(({ title }) => title === (quoted?.replaceAll("''", "'") ?? plain));
  if (!sheet) return null;
  const [from = "", to = from] = cells.split(":");
  const [, fromColumn = "", fromRow = ""] = /^([A-Z]*)(\d*)$/.exec(from) ?? [];
  const [, toColumn = "", toRow = ""] = /^([A-Z]*)(\d*)$/.exec(to) ?? [];
  return {
    sheet,
    top: fromRow === "" ? 0 : Number(fromRow) - 1,
    bottom: toRow === "" ? Number.POSITIVE_INFINITY : Number(toRow),
    left: fromColumn === "" ? 0 : columnIndex(fromColumn),
    right: toColumn === "" ? Number.POSITIVE_INFINITY : columnIndex(toColumn) + 1,
  };
}

function write(sheets: Sheet[], text: string, values: Cell[][]) {
  const range = parseRange(sheets, text);
  if (!range) return null;
  for (const [y, row] of values.entries()) {
    while (range.sheet.rows.length <= range.top + y) range.sheet.rows.push([]);
    const target = range.sheet.rows[range.top + y] ?? [];
    // "Null values will be skipped."
    for (const [x, value] of row.entries()) {
      while (target.length <= range.left + x) target.push("");
      if (value !== null) target[range.left + x] = value;
    }
  }
  return { updatedRange: text, updatedCells: values.flat().filter((value) => value !== null).length };
}

function changeBook(sheets: Sheet[], json: Record<string, unknown>): VendorAnswer {
  const [request] = json.requests as {
    addSheet?: { properties: { title: string } };
    deleteDimension?: { range: { sheetId: number; startIndex: number; endIndex: number } };
  }[];
  if (request?.addSheet) {
    const { title } = request.addSheet.properties;
    if (sheets.some((sheet) => sheet.title === title)) return refusal(400, `A sheet named "${title}" already exists.`);
    const sheet = { sheetId: 100 + sheets.length, title, rows: [] };
    sheets.push(sheet);
    return { json: { replies: [{ addSheet: presentSheet(sheet, sheets.length - 1) }] } };
  }
  const range = request?.deleteDimension?.range;
  if (!range) return refusal(400, "Must specify at least one request.");
  const sheet = sheets.find(({ sheetId }) => sheetId === range.sheetId);
  sheet?.rows.splice(range.startIndex, range.endIndex - range.startIndex);
  return { json: { replies: [{}] } };
}

const present = (id: string, { title }: { title: string }) => ({
  spreadsheetId: id,
  spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${id}/edit`,
  properties: { title },
});
const presentSheet = ({ sheetId, title }: Sheet, index: number) => ({ properties: { sheetId, title, index } });
const quote = ({ title }: Sheet) => `'${title.replaceAll("'", "''")}'`;
const columnIndex = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
const trimmed = (row: Cell[]) => row.slice(0, row.findLastIndex((value) => value !== "" && value !== null) + 1);
const part = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Record<string, unknown>;
const refusal = (code: number, message: string): VendorAnswer => ({
  status: code,
  json: { error: { code, message, status: "FAILED" } },
});
