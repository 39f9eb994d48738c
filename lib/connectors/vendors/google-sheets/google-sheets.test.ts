import { beforeEach, describe, expect, it, test } from "vitest";
import { GOOGLE_SHEETS_CONNECTOR } from "#lib/connectors/vendors/google-sheets/connector";
import { BOOK, KEY_FILE, startSheets } from "#lib/connectors/vendors/google-sheets/google-sheets.fixture";
import { type Cell, columnName } from "#lib/connectors/vendors/google-sheets/sheet-rows";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { runsOf } from "#lib/domain/triggers/trigger.fixture";

const stage = useConnectorStage("google_sheets", startSheets);
const connect = () => stage.connect("service_account", { service_account: KEY_FILE });
const SHEET = "Ada's orders";
const ORDERS = { spreadsheet_id: `https://docs.google.com/spreadsheets/d/${BOOK}/edit#gid=0`, sheet: SHEET };

const header: Cell[] = ["Name", "Amount", "", "Name"];
beforeEach(() => {
  fill([header, ["Ada", 120, "x"], ["Bob", 80]]);
});

function fill(rows: Cell[][]): void {
  stage.vendor.rows.splice(0, stage.vendor.rows.length, ...rows);
}

describe("row_changed", () => {
  test("starts a workflow for each added or edited row, and for no row that only moves or disappears", async () => {
    const connection = await connect();
    const trigger = await stage.listenTo(connection, "row_changed", ORDERS);
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "polling", error: null });
    expect(await stage.outputsOf(trigger)).toEqual([]);
    fill([header, ["Bob", 80], ["Ada", 125, "x"], [], ["Eve", 1]]);
    await stage.work({ isSoon: true });
    fill([header, ["Eve", 1], ["Ada", 125, "x"]]);
    await stage.work({ isSoon: true });
    const row = (row_number: number, values: object, change = "added") => ({
      event: "row_changed",
      id: expect.stringContaining(`${BOOK}/${SHEET}/${row_number}/`),
      occurred_at: null,
      received_at: expect.any(String),
      connector: "google_sheets",
      connection_id: connection,
      data: { spreadsheet_id: BOOK, sheet: SHEET, row_number, change, values },
    });
    expect(await stage.outputsOf(trigger)).toEqual([
      row(3, { Name: "Ada", Amount: 125, C: "x", D: null }),
      row(5, { Name: "Eve", Amount: 1, C: null, D: null }),
    ]);
  });

  test("keeps the digits of a long number as a text, and says where", async () => {
    const trigger = await stage.listenTo(await connect(), "row_changed", ORDERS);
    await stage.work();
    fill([header, ["Ada", 2 ** 53 + 2, "x"], ["Bob", 80]]);
    await stage.work({ isSoon: true });
    expect(
      (await runsOf(trigger)).map(({ input }) => [input.numbers_as_text, input.output.data.values.Amount]),
    ).toEqual([[["trigger.output.data.values.Amount"], "9007199254740994"]]);
  });

  test("counts an edit in place once, counts every edit back and forth, and loses none of many simultaneous edits", async () => {
    const trigger = await stage.listenTo(await connect(), "row_changed", { ...ORDERS, columns: "a:b" });
    await stage.work();
    for (const amount of [121, 120, 121]) {
      fill([header, ["Ada", amount, "x"], ["Bob", 80]]);
      await stage.work({ isSoon: true });
    }
    // This column is not watched.
    fill([header, ["Ada", 121, "y"], ["Bob", 80]]);
    await stage.work({ isSoon: true });
    const edits = await stage.outputsOf(trigger);
    expect(edits.map(({ data }) => data)).toEqual(
      [121, 120, 121].map((Amount) =>
        expect.objectContaining({ change: "edited", row_number: 2, values: { Name: "Ada", Amount } }),
      ),
    );
    const service = await stage.serve(await stage.connect("service_account", { service_account: KEY_FILE }, "Second"));
    const poll = GOOGLE_SHEETS_CONNECTOR.triggers?.row_changed?.poll;
    fill([]);
    let polled = await poll?.list(service, { cursor: null, params: ORDERS });
    fill([header, ...Array.from({ length: 250 }, (_, index) => ["Same", index % 200])]);
    const seen: unknown[] = [];
    do {
      polled = await poll?.list(service, { cursor: polled?.cursor ?? null, params: ORDERS });
      seen.push(...(polled?.events ?? []).map(({ data }) => data.row_number));
    } while (polled?.isMore);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index + 2));
  });
});

describe("operations", () => {
  it("add, update, find and delete rows by column name", async () => {
    const connection = await connect();
    const added = await stage.perform(connection, "append_row", { ...ORDERS, values: { Amount: 7, Name: "Eve" } });
    expect(added).toEqual({ row_number: 4, updated_range: "'Ada''s orders'!A4", updated_cells: 2 });
    expect(await stage.perform(connection, "append_row", { ...ORDERS, values: ["Ida", 9] })).toMatchObject({
      row_number: 5,
    });
    const changed = { ...ORDERS, row_number: 4, values: { Amount: 8 } };
    expect(await stage.perform(connection, "update_row", changed)).toEqual({ row_number: 4, updated_cells: 1 });
    expect(await stage.perform(connection, "find_rows", { ...ORDERS, column: "Name", value: "eve" })).toEqual({
      rows: [{ row_number: 4, values: { Name: "Eve", Amount: 8, C: null, D: null } }],
      has_more: false,
    });
    const byPart = { ...ORDERS, column: "Name", value: "a", match: "contains", limit: 1 };
    expect(await stage.perform(connection, "find_rows", byPart)).toMatchObject({
      rows: [{ row_number: 2 }],
      has_more: true,
    });
    expect(await stage.perform(connection, "delete_rows", { ...ORDERS, row_number: 2, count: 2 })).toEqual({
      deleted_rows: 2,
    });
    expect(stage.vendor.rows).toEqual([header, ["Eve", 8, "", ""], ["Ida", 9]]);
  });

  it("update the row with the same value in a column, or add one, however often they are repeated", async () => {
    const connection = await connect();
    const given = { ...ORDERS, column: "Name" };
    stage.vendor.rows.splice(0, stage.vendor.rows.length, ["Name", "Amount"], ["Ann", 1], [], ["Bea", 2], ["bea", 3]);
    const upsert = (values: JsonObject) => stage.perform(connection, "upsert_row", { ...given, values });
    expect(await upsert({ Name: "BEA", Amount: 20 })).toEqual({ row_number: 4, updated_cells: 2, is_new: false });
    for (const is_new of [true, false]) {
      expect(await upsert({ Amount: 7, Name: "Cid" })).toEqual({ row_number: 6, updated_cells: 2, is_new });
    }
    expect(stage.vendor.rows).toEqual([["Name", "Amount"], ["Ann", 1], [], ["BEA", 20], ["bea", 3], ["Cid", 7]]);
    await expect(upsert({ Amount: 7 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: 'values: must contain a value for the column "Name"',
    });
    await expect(upsert({ Name: "x", Nmae: 1 })).rejects.toThrow('no column "Nmae"');
  });

  const said = (updatedRange: string, tableRange?: string, updatedCells = 2) => ({
    json: { ...(tableRange ? { tableRange } : {}), updates: { updatedRange, updatedCells, updatedRows: 1 } },
  });

  it.each([
    ["'Ada''s orders'!C4:D4", "'Ada''s orders'!C1:D3"],
    ["'Ada''s orders'!$B$4:$C$4", "'Ada''s orders'!B2:C3"],
    ["'Ada''s orders'!AB4", undefined],
  ])("move a row that Google appended next to the table, at %s", async (updatedRange, tableRange) => {
    const connection = await connect();
    stage.vendor.failures.push(said(updatedRange, tableRange));
    const values = ["Ida", 9];
    expect(await stage.perform(connection, "append_row", { ...ORDERS, values })).toEqual({
      row_number: 4,
      updated_range: "'Ada''s orders'!A4:B4",
      updated_cells: 2,
    });
    const [row = [], ...others] = stage.vendor.rows.slice(3);
    expect([row.slice(0, 2), row.slice(2).every((value) => value === ""), others]).toEqual([values, true, []]);
  });

  it("fail and say where the row is if it can't be moved, so that no retry adds another", async () => {
    const connection = await connect();
    stage.vendor.failures.push(said("'Ada''s orders'!C4:D4", "'Ada''s orders'!C1:D3"));
    stage.vendor.failures.push({ status: 503, json: { error: { message: "Unavailable" } } });
    await expect(stage.perform(connection, "append_row", { ...ORDERS, values: ["Ida", 9] })).rejects.toMatchObject({
      reason: "service_refused",
      message: expect.stringMatching(/added at C4, next to the table.*Unavailable/),
    });
  });

  it("leave a row in its place whose first cells are empty, and read a sheet's name like a range", async () => {
    const connection = await connect();
    const values = [null, "Ida"];
    for (const [range, table] of [
      ["'Ada''s orders'!B4", "'Ada''s orders'!A1:D3"],
      ["'Q!B7'!A4", "'Q!B7'!A1:D3"],
    ] as const) {
      stage.vendor.failures.push(said(range, table, 1));
      expect(await stage.perform(connection, "append_row", { ...ORDERS, values })).toMatchObject({
        row_number: 4,
        updated_range: range,
      });
    }
    expect(stage.vendor.requests.filter(({ path }) => path.includes("batchUpdate"))).toEqual([]);
  });

  it("fail if Google writes no cell, or does not say where", async () => {
    const connection = await connect();
    const refused = { reason: "service_refused", message: expect.stringContaining("wrote no cell") };
    stage.vendor.failures.push(said("'Ada''s orders'!A4", undefined, 0));
    await expect(stage.perform(connection, "append_row", { ...ORDERS, values: ["Ida"] })).rejects.toMatchObject(
      refused,
    );
    stage.vendor.failures.push({ json: { totalUpdatedCells: 0, responses: [] } });
    const row = { ...ORDERS, row_number: 2, values: ["Ida"] };
    await expect(stage.perform(connection, "update_row", row)).rejects.toMatchObject(refused);
    stage.vendor.failures.push(said("somewhere"));
    await expect(stage.perform(connection, "append_row", { ...ORDERS, values: ["Ida"] })).rejects.toMatchObject({
      reason: "answer_unreadable",
    });
  });

  it("read, write and clear ranges", async () => {
    const connection = await connect();
    const range = "'Ada''s orders'!A2:B3";
    const given = { spreadsheet_id: BOOK, range };
    expect(
      await stage.perform(connection, "update_range", {
        ...given,
        values: [
          ["Ann", 1],
          ["Bea", 2],
        ],
      }),
    ).toEqual({
      updated_range: range,
      updated_cells: 4,
    });
    expect(await stage.perform(connection, "read_range", given)).toEqual({
      range,
      values: [
        ["Ann", 1],
        ["Bea", 2],
      ],
    });
    expect(await stage.perform(connection, "clear_range", given)).toEqual({ cleared_range: range });
    expect(await stage.perform(connection, "read_range", given)).toEqual({ range, values: [] });
  });

  it("create spreadsheets and sheets", async () => {
    const connection = await connect();
    const made = (await stage.perform(connection, "create_spreadsheet", { title: "March", sheets: ["Orders"] })) as {
      spreadsheet_id: string;
    };
    const { spreadsheet_id } = made;
    expect(made).toMatchObject({ title: "March", url: expect.stringContaining(spreadsheet_id) });
    const sheet = { spreadsheet_id, title: "Returns" };
    expect(await stage.perform(connection, "add_sheet", sheet)).toMatchObject({ title: "Returns", index: 1 });
    expect(await stage.perform(connection, "list_sheets", { spreadsheet_id })).toMatchObject({
      title: "March",
      sheets: [{ title: "Orders" }, { title: "Returns" }],
    });
    await expect(stage.perform(connection, "add_sheet", sheet)).rejects.toThrow(
      'A sheet named "Returns" already exists',
    );
  });

  it("name the sheet or column that does not exist", async () => {
    const connection = await connect();
    const refusals: [string, Record<string, unknown>, RegExp][] = [
      [
        "append_row",
        { ...ORDERS, values: { Nmae: "x" } },
        /no column "Nmae"; its columns are "Name", "Amount", "C", "D"/,
      ],
      ["delete_rows", { ...ORDERS, sheet: "Other", row_number: 2 }, /there is no sheet "Other"/],
      ["read_range", { spreadsheet_id: BOOK, range: "Nowhere!A1" }, /Unable to parse range: Nowhere!A1/],
      ["list_sheets", { spreadsheet_id: "1UnknownSpreadsheet" }, /404: Requested entity was not found/],
      ["list_sheets", { spreadsheet_id: "../me" }, /^spreadsheet_id: must be the id or the URL/],
    ];
    for (const [operation, params, message] of refusals) {
      const error = { code: "VALIDATION_ERROR", message: expect.stringMatching(message) };
      await expect(stage.perform(connection, operation, params as never)).rejects.toMatchObject(error);
    }
  });

  it.each([
    [{ status: 403, json: { error: { message: "The caller does not have permission" } } }, "VALIDATION_ERROR"],
    [{ status: 429, json: { error: { message: "Quota exceeded" } } }, "RATE_LIMITED"],
    [{ status: 503, json: { error: { message: "Unavailable" } } }, "UPSTREAM_ERROR"],
  ])("map a response of %j to a step error", async (failure, code) => {
    const connection = await connect();
    stage.vendor.failures.push(failure);
    await expect(stage.perform(connection, "list_sheets", ORDERS)).rejects.toMatchObject({ code });
  });
});

describe("a service account", () => {
  it("signs a request for each token, and gets another token if Google revokes one early", async () => {
    const connection = await connect();
    expect(stage.vendor.claims).toMatchObject({
      alg: "RS256",
      kid: "key-1",
      iss: "robot@project.iam.gserviceaccount.com",
      aud: "https://oauth2.googleapis.com/token",
      scope: "https://www.googleapis.com/auth/spreadsheets",
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    });
    stage.vendor.tokens.clear();
    expect(await stage.perform(connection, "list_sheets", ORDERS)).toMatchObject({ title: "Shop" });
    const asked = stage.vendor.requests.filter(({ path }) => path === "/token");
    expect(asked.map(({ form }) => [...form.keys()])).toEqual([
      ["grant_type", "assertion"],
      ["grant_type", "assertion"],
    ]);
  });

  it("is rejected with a malformed key file, and with a key that Google does not know", async () => {
    const give = (service_account: string) => stage.connect("service_account", { service_account });
    await expect(give("{}")).rejects.toThrow(/service_account: type/);
    await expect(give("nonsense")).rejects.toThrow("must be the JSON of a service account's key");
    const broken = JSON.stringify({ ...JSON.parse(KEY_FILE), private_key: "-----BEGIN PRIVATE KEY-----" });
    await expect(give(broken)).rejects.toThrow("private_key is not an RSA key");
    stage.vendor.failures.push({
      status: 400,
      json: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    });
    await expect(give(KEY_FILE)).rejects.toThrow("invalid_grant: Invalid JWT Signature.");
  });
});

it("sheets and columns can be chosen from those that exist", async () => {
  const service = await stage.serve(await connect());
  const list = (from: string, params: Record<string, string>) =>
    GOOGLE_SHEETS_CONNECTOR.options?.[from]?.(service, { params, query: "", cursor: null });
  expect(await list("sheets", ORDERS)).toEqual({ options: [{ value: SHEET, label: SHEET }] });
  const columns = ["Name", "Amount", "C", "D"].map((name) => ({ value: name, label: name }));
  expect(await list("columns", ORDERS)).toEqual({ options: columns });
  await expect(list("sheets", { spreadsheet_id: "no" })).rejects.toThrow("must be the id or the URL");
});

it("columns use the names in the sheet", () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
});
