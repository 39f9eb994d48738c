import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const KOMMO_TOKEN = "eyJ0eXAi-canary-1a2b3c4d5e6f";
export const KOMMO_APPLICATION = { id: "5f1c-77", secret: "canary-application-secret-77" };
const NOW_SECONDS = 1_790_000_000;
const ROOT = "/api/v4/";

type Row = Record<string, unknown> & { id: number };

interface Hook {
  destination: string;
  settings: string[];
}

/** One account: https://www.kommo.com/developers/content/api_v4/. */
export interface TestKommo extends TestVendor {
  token: string;
  hooks: Hook[];
  /** The objects by their path below the API root. */
  rows: Record<string, Row[]>;
  /**
   * Publishes one of the account's events to the webhooks with this setting.
   * @param setting a name of `settings`, such as `add_lead`
   * @returns the statuses of the webhooks' responses
   */
  happens(setting: string, kind: string, action: string, rows: unknown): Promise<number[]>;
}

/** For tests: starts a server that behaves like the API of a Kommo account. */
export async function startKommo(): Promise<TestKommo> {
  let nextId = 5_000;
  const kommo: TestKommo = Object.assign(await startVendor(answer), {
    token: KOMMO_TOKEN,
    hooks: [],
    rows: startingRows(),
    happens: async (setting: string, kind: string, action: string, rows: unknown) => {
      const account = { subdomain: "example", id: "900", _links: { self: "https://example.kommo.com" } };
      const body = encodeForm({ account, [kind]: { [action]: rows } });
      const told = kommo.hooks.filter(({ settings }) => settings.includes(setting));
      return Promise.all(told.map(({ destination }) => post(destination, body)));
    },
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.path === "/oauth2/access_token") return token(request);
    if (request.headers.authorization !== `Bearer ${kommo.token}`) return problem(401, "Unauthorized");
    if (!request.path.startsWith(ROOT)) return null;
    const path = request.path.slice(ROOT.length);
    if (path === "webhooks") return webhooks(request);
    if (path === "account") return { json: accountOf(request.query.get("with")) };
    if (path === "leads/complex") return { json: [{ id: nextId++, contact_id: 1, company_id: null, merged: false }] };
    const [, owner = "", verb = ""] = /^(.+)\/(link|unlink|accept|decline|close)$/.exec(path) ?? [];
    if (verb !== "") return act(owner, verb, request);
    return collection(path, request);
  }

  /**
   * Answers a token request. A renewal must send the redirect URL too:
   * https://developers.kommo.com/reference/get-token.
   */
  function token({ json }: VendorRequest): VendorAnswer {
    const isKnown = json.client_id === KOMMO_APPLICATION.id && json.client_secret === KOMMO_APPLICATION.secret;
    if (!isKnown || !json.redirect_uri) return problem(400, "Bad Request");
    // The token expires too soon to be used without a renewal.
    return {
      json: { token_type: "Bearer", expires_in: 0.001, access_token: kommo.token, refresh_token: "def5-canary" },
    };
  }

  function webhooks({ method, query, json }: VendorRequest): VendorAnswer {
    const destination = String(json.destination ?? query.get("filter[destination]") ?? "");
    const found = kommo.hooks.filter((hook) => hook.destination === destination);
    if (method === "GET") return found.length > 0 ? { json: { _embedded: { webhooks: found } } } : { status: 204 };
    if (method === "DELETE" && found.length === 0) return problem(404, "Not Found");
    kommo.hooks = kommo.hooks.filter((hook) => hook.destination !== destination);
    if (method === "DELETE") return { status: 204 };
    kommo.hooks.push({ destination, settings: json.settings as string[] });
    return { status: 201, json: { id: nextId++, ...json, disabled: false } };
  }

  function act(owner: string, verb: string, { text }: VendorRequest): VendorAnswer {
    if (verb === "unlink" || verb === "close") return { status: verb === "close" ? 202 : 204 };
    const sent: unknown = text === "" ? {} : JSON.parse(text);
    if (verb === "link") return { json: { _embedded: { links: sent } } };
    return { json: { uid: owner.split("/").at(-1), _embedded: { leads: [{ id: nextId++ }] } } };
  }

  function collection(path: string, request: VendorRequest): VendorAnswer | null {
    const rows = kommo.rows[path];
    if (rows) return request.method === "GET" ? list(rows, path, request) : write(rows, path, request);
    const [, parent = "", id = ""] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
    const one = kommo.rows[parent]?.find(
      (row) => String(row.id) === id || row.uid === id || String(row.talk_id) === id,
    );
    if (!one) return kommo.rows[parent] ? { status: 204 } : null;
    if (request.method === "PATCH") Object.assign(one, request.json, { updated_at: NOW_SECONDS });
    return { json: one };
  }

  function write(rows: Row[], path: string, { method, text }: VendorRequest): VendorAnswer {
    const sent: unknown = JSON.parse(text);
    if (!Array.isArray(sent)) return refusal("body", "This value should be of type array.");
    if (sent.some(({ name }) => name === "")) return refusal("name", "This value should not be blank.");
    const written = sent.map((given: object) => ({ id: nextId++, ...given }) as Row);
    if (method === "POST") rows.push(...written);
    return { json: { _embedded: { [nameOf(path)]: written.map(({ id }) => ({ id, updated_at: NOW_SECONDS })) } } };
  }
  return kommo;
}

function list(rows: Row[], path: string, { query }: VendorRequest): VendorAnswer {
  const limit = Number(query.get("limit") ?? 50);
  const page = Number(query.get("page") ?? 1);
  const ids = [...query].filter(([name]) => name.startsWith("filter[id]")).map(([, value]) => value);
  const fits = rows.filter(
    (row) =>
      JSON.stringify(row).includes(query.get("query") ?? "") && (ids.length === 0 || ids.includes(String(row.id))),
  );
  const shown = fits.slice((page - 1) * limit, page * limit);
  if (shown.length === 0) return { status: 204 };
  const next = page * limit < fits.length ? { next: { href: "https://example.kommo.com/next" } } : {};
  return { json: { _page: page, _links: { self: {}, ...next }, _embedded: { [nameOf(path)]: shown } } };
}

/** Returns the name of the list in a collection's response. */
function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}

function startingRows(): Record<string, Row[]> {
  const at = { created_at: NOW_SECONDS, updated_at: NOW_SECONDS };
  const owned = (type: string) => ({
    [type]: [{ id: 512, name: "Ada Lovelace ada@example.com", ...at }],
    [`${type}/512/notes`]: [{ id: 900, note_type: "common", params: { text: "Called back" } }],
    [`${type}/512/links`]: [{ id: 1, to_entity_id: 4711, to_entity_type: "contacts" }],
    [`${type}/notes`]: [{ id: 900, note_type: "common" }],
    [`${type}/custom_fields`]: [{ id: 7, type: "text", name: "Source" }],
  });
  return {
    ...owned("leads"),
    ...owned("contacts"),
    ...owned("companies"),
    tasks: [{ id: 700, text: "Call back", is_completed: false }],
    users: [{ id: 31, name: "Manager", email: "manager@example.com" }],
    "leads/pipelines": [
      pipeline(5, "Sales", { is_main: true }),
      pipeline(6, "Renewals"),
      pipeline(7, "Old", { is_archive: true }),
    ],
    "leads/loss_reasons": [{ id: 3, name: "Price" }],
    "leads/unsorted": [{ id: 1, uid: "0c2f4d", category: "forms" }],
    talks: [{ id: 812, talk_id: 812, is_in_work: true }],
    catalogs: [{ id: 60, name: "Products" }],
    "catalogs/60/elements": [{ id: 610, name: "Chair", catalog_id: 60, ...at }],
  };
}

/** https://www.amocrm.ru/developers/content/crm_platform/leads_pipelines */
function pipeline(id: number, name: string, more: object = {}): Row {
  const stages = { [id * 100 + 1]: "First contact", [id * 100 + 2]: "Offer made", 142: "Won", 143: "Lost" };
  const statuses = Object.entries(stages).map(([key, stage]) => ({ id: Number(key), name: stage, pipeline_id: id }));
  return { id, name, is_main: false, is_archive: false, ...more, _embedded: { statuses } };
}

function accountOf(asked: string | null): object {
  const types = [
    { id: 1, name: "Call" },
    { id: 2, name: "Meeting" },
  ];
  const embedded = asked === "task_types" ? { _embedded: { task_types: types } } : {};
  return { id: 900, name: "Example", subdomain: "example", ...embedded };
}

function problem(status: number, title: string): VendorAnswer {
  const headers = { "content-type": "application/problem+json" };
  return { status, headers, json: { title, type: "about:blank", status, detail: title } };
}

function refusal(path: string, detail: string): VendorAnswer {
  const errors = [{ request_id: "0", errors: [{ code: "InvalidValue", path, detail }] }];
  const headers = { "content-type": "application/problem+json" };
  return {
    status: 400,
    headers,
    json: { "validation-errors": errors, title: "Bad Request", detail: "Request validation failed" },
  };
}

/** Encodes a form in Kommo's format: `leads[add][0][id]=…`. */
function encodeForm(value: object): string {
  const form = new URLSearchParams();
  const put = (name: string, item: unknown): void => {
    if (typeof item !== "object" || item === null) form.append(name, String(item));
    else for (const [key, inner] of Object.entries(item)) put(name === "" ? key : `${name}[${key}]`, inner);
  };
  put("", value);
  return form.toString();
}

async function post(destination: string, body: string): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(destination, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}
