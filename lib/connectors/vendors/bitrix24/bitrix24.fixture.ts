import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const INBOUND_CODE = "canary1a2b3c4d5e6f";
export const INBOUND_URL = `https://example.bitrix24.com/rest/1/${INBOUND_CODE}/`;
export const APPLICATION = { id: "local.5f1c", secret: "canary-application-secret-77" };
export const BITRIX24_ACCESS_TOKEN = "canary-access-token-1";
const PAGE = 50;

type Row = Record<string, unknown>;

interface Handler {
  event: string;
  handler: string;
}

/** One Bitrix24 account: https://apidocs.bitrix24.com/api-reference/. */
export interface TestBitrix24 extends TestVendor {
  code: string;
  handlers: Handler[];
  /** The permissions of the webhook or application. */
  scopes: string[];
  /** Messages in the chats of tasks. */
  chat: Row[];
  /** Objects by method prefix: `crm.deal`, `tasks.task`. */
  rows: Record<string, Row[]>;
  /** Creates an object with the given timestamps. */
  add(kind: string, fields: Row, at: string): Row;
  /**
   * Calls the handlers of an event, like the queue server.
   * @returns the statuses of the handlers' responses
   */
  happens(event: string, id: string): Promise<number[]>;
}

/** Starts a server that behaves like the REST API of a Bitrix24 account, for inbound webhooks and applications. */
export async function startBitrix24(): Promise<TestBitrix24> {
  let nextId = 9_000;
  const bitrix: TestBitrix24 = Object.assign(await startVendor(answer), {
    code: INBOUND_CODE,
    handlers: [],
    scopes: ["crm", "task", "tasks", "user"],
    chat: [],
    rows: startingRows(),
    add: (kind: string, fields: Row, at: string) => {
      const isTask = kind === "tasks.task";
      const id = String(nextId++);
      const row = isTask
        ? { id, ...fields, createdDate: at, changedDate: at }
        : { ID: id, ...fields, DATE_CREATE: at, DATE_MODIFY: at };
      bitrix.rows[kind]?.push(row);
      return row;
    },
    happens: (event: string, id: string) => {
      const fields = event.startsWith("ONTASK") ? "FIELDS_AFTER" : "FIELDS";
      const form = new URLSearchParams({
        event,
        event_handler_id: "201",
        [`data[${fields}][ID]`]: id,
        ts: "1790000000",
        "auth[domain]": "example.bitrix24.com",
        "auth[application_token]": "51856fefc120afa4b628cc82d3935cce",
      });
      const told = bitrix.handlers.filter((bound) => bound.event === event);
      return Promise.all(told.map(({ handler }) => post(handler, form.toString())));
    },
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.path === "/oauth/token/") return token(request);
    const [, code, method = ""] = /^\/rest(?:\/api)?(?:\/1\/(\w+))?\/([\w.]+)$/.exec(request.path) ?? [];
    const isV3 = request.path.startsWith("/rest/api/");
    const isApplication = code === undefined;
    const isKnown = isApplication ? request.json.auth === BITRIX24_ACCESS_TOKEN : code === bitrix.code;
    if (!isKnown) return failure(401, isApplication ? "expired_token" : "NO_AUTH_FOUND", "Wrong authorization data");
    if (method.startsWith("event."))
      return isApplication
        ? events(method, request.json)
        : failure(403, "ACCESS_DENIED", "Application context required");
    if (isV3) return method === CHAT_METHOD ? sendToChat(request.json) : failure(404, "ERROR_METHOD_NOT_FOUND", method);
    if (method === "scope") return { json: { result: bitrix.scopes } };
    const { FILTER: filter } = request.json as { FILTER?: { FIND?: string } };
    const isMixed = filter?.FIND !== undefined && Object.keys(filter).length > 1;
    if (isMixed) return failure(400, "ERROR_CORE", "FIND can't be combined with another field");
    if (method === "user.get" || method === "user.search") return listUsers(request.json, filter?.FIND ?? "");
    if (method === "crm.status.list") return listStatuses(request.json.filter as Row | undefined);
    return FIXED[method] ?? call(method, request.json);
  }

  function token({ form }: VendorRequest): VendorAnswer {
    const isKnown = form.get("client_id") === APPLICATION.id && form.get("client_secret") === APPLICATION.secret;
    if (!isKnown) return failure(400, "invalid_client", "unknown");
    return {
      json: { access_token: BITRIX24_ACCESS_TOKEN, refresh_token: "canary-refresh-token-1", expires_in: 3_600 },
    };
  }

  function events(method: string, { event, handler }: Row): VendorAnswer {
    if (method === "event.get") return { json: { result: bitrix.handlers } };
    const bound = { event: String(event), handler: String(handler) };
    const isSame = (other: Handler) => other.event === bound.event && other.handler === bound.handler;
    if (method === "event.unbind") {
      bitrix.handlers = bitrix.handlers.filter((other) => !isSame(other));
      return { json: { result: { count: 1 } } };
    }
    if (bitrix.handlers.some(isSame)) return failure(400, "ERROR_CORE", "Handler already binded");
    bitrix.handlers.push(bound);
    return { json: { result: true } };
  }

  function call(method: string, params: Row): VendorAnswer | null {
    const [, kind = "", verb = ""] = /^(.+)\.(\w+)$/.exec(method) ?? [];
    const rows = bitrix.rows[kind];
    if (!rows) return failure(404, "ERROR_METHOD_NOT_FOUND", "Method not found!");
    const isTask = kind === "tasks.task";
    if (verb === "list") return list(rows, params, isTask);
    if (verb === "add") {
      if (Object.keys(params.fields as Row).length === 0) return failure(400, "", "Required fields are missing");
      const made = bitrix.add(kind, params.fields as Row, "2026-01-05T10:00:00+00:00");
      return { json: { result: isTask ? { task: made } : Number(made.ID) } };
    }
    const id = String(params.taskId ?? params.id);
    const found = rows.find((row) => String(row.id ?? row.ID) === id);
    if (!found) return failure(400, "", "Not found");
    if (verb === "update") update(found, params.fields as Row);
    const isChange = verb === "update" || verb === "delete";
    if (isTask) return { json: { result: { task: verb === "delete" ? true : found } } };
    return { json: { result: isChange ? true : found } };
  }
  /** https://apidocs.bitrix24.com/api-reference/tasks/tasks-task-chat-message-send.html */
  function sendToChat({ fields }: Row): VendorAnswer {
    const { taskId, text } = (fields ?? {}) as Row;
    if (typeof taskId !== "number" || typeof text !== "string") {
      const code = "BITRIX_REST_V3_EXCEPTION_VALIDATION_REQUESTVALIDATIONEXCEPTION";
      return { status: 400, json: { error: { code, message: "Required field" } } };
    }
    if (!bitrix.rows["tasks.task"]?.some(({ id }) => id === String(taskId))) {
      const code = "BITRIX_REST_V3_EXCEPTION_ACCESSDENIEDEXCEPTION";
      return { status: 400, json: { error: { code, message: "No access to the task" } } };
    }
    bitrix.chat.push({ taskId, text });
    return { json: { result: { result: true } } };
  }

  /** Updates a row. A value with a known ID is replaced, and any other value is added. */
  function update(row: Row, { PHONE: phones, EMAIL: emails, ...fields }: Row): void {
    Object.assign(row, fields);
    for (const [name, given] of Object.entries({ PHONE: phones, EMAIL: emails })) {
      if (!Array.isArray(given)) continue;
      const values = [...((row[name] as Row[] | undefined) ?? [])];
      for (const value of given as Row[]) {
        const known = values.find(({ ID: id }) => id === value.ID);
        if (known) Object.assign(known, value);
        else values.push({ ...value, ID: String(nextId++), TYPE_ID: name });
      }
      row[name] = values;
    }
  }
  return bitrix;
}

const CHAT_METHOD = "tasks.task.chat.message.send";

/** Methods that always return the same result. */
const FIXED: Record<string, VendorAnswer> = {
  profile: { json: { result: { ID: "1", ADMIN: true, NAME: "Ada", LAST_NAME: "Lovelace" } } },
  "crm.category.list": {
    json: {
      result: {
        categories: [
          { id: 0, name: "General" },
          { id: 1, name: "Renewals" },
        ],
      },
      total: 2,
    },
  },
  "crm.deal.productrows.get": { json: { result: [{ ID: "7", PRODUCT_NAME: "Chair" }] } },
  "crm.deal.productrows.set": { json: { result: true } },
  "crm.timeline.comment.add": { json: { result: 999 } },
  "crm.timeline.comment.list": { json: { result: [{ ID: "999", COMMENT: "Called back" }], total: 1 } },
  "task.commentitem.add": { json: { result: 3_141 } },
  "task.commentitem.getlist": { json: { result: [{ ID: "3141", POST_MESSAGE: "They renew" }] } },
  ...Object.fromEntries(
    ["deal", "lead", "contact", "company"].map((one) => [
      `crm.${one}.fields`,
      { json: { result: { TITLE: { type: "string" } } } },
    ]),
  ),
};

const USERS = Array.from({ length: 60 }, (_, index) => ({
  ID: String(index + 1),
  NAME: "Ada",
  LAST_NAME: `No. ${index + 1}`,
  EMAIL: `ada${index + 1}@example.com`,
}));

/** Searches users by parts of their names: https://apidocs.bitrix24.com/api-reference/user/user-search.html */
function listUsers({ start = 0 }: Row, find: string): VendorAnswer {
  const fits = USERS.filter(({ NAME, LAST_NAME }) => `${NAME} ${LAST_NAME}`.includes(find));
  const next = Number(start) + PAGE;
  const more = next < fits.length ? { next } : {};
  return { json: { result: fits.slice(Number(start), next), total: fits.length, ...more } };
}

function listStatuses(filter: Row | undefined): VendorAnswer {
  const wanted = filter?.ENTITY_ID;
  const result = STATUSES.filter(([entity]) => wanted === undefined || entity === wanted);
  return {
    json: {
      result: result.map(([ENTITY_ID, STATUS_ID, NAME], index) => ({ ID: String(index), ENTITY_ID, STATUS_ID, NAME })),
    },
  };
}

const STATUSES = [
  ["DEAL_STAGE", "NEW", "New"],
  ["DEAL_STAGE", "WON", "Won"],
  ["DEAL_STAGE_1", "C1:NEW", "Asked"],
  ["STATUS", "NEW", "Unprocessed"],
  ["SOURCE", "WEB", "Website"],
] as const;

/** Supports filters with >, >=, %, and equality, one sort field, and pages of 50. */
function list(rows: Row[], params: Row, isTask: boolean): VendorAnswer {
  const value = (row: Row, field: string) => String(row[isTask ? (TASK_FIELDS[field] ?? field) : field] ?? "");
  const fits = rows.filter((row) =>
    Object.entries((params.filter as Row | undefined) ?? {}).every(([key, wanted]) => {
      const [, operator = "", field = ""] = /^([>=!%]*)(\w+)$/.exec(key) ?? [];
      const given = value(row, field);
      if (operator === ">") return Number(given) > Number(wanted);
      if (operator === ">=") return given >= String(wanted);
      if (operator === "%") return given.includes(String(wanted));
      if (operator === "!") return given !== String(wanted);
      // A task filter is a pattern in the title, and a contact can have several email addresses.
      const isPattern = isTask && field === "TITLE";
      if (isPattern || field === "EMAIL" || field === "PHONE")
        return given.includes(String(wanted).replaceAll("%", ""));
      return given === String(wanted);
    }),
  );
  const [field = "ID", direction = "ASC"] =
    Object.entries((params.order as Record<string, string> | undefined) ?? {})[0] ?? [];
  const sign = direction.toUpperCase() === "DESC" ? -1 : 1;
  const sorted = fits.toSorted(
    (a, b) => sign * value(a, field).localeCompare(value(b, field), "en", { numeric: true }),
  );
  const start = Number(params.start ?? 0);
  const items = sorted.slice(start, start + PAGE);
  const next = start + PAGE < sorted.length ? { next: start + PAGE } : {};
  return { json: { result: isTask ? { tasks: items } : items, total: sorted.length, ...next } };
}

const TASK_FIELDS: Record<string, string> = {
  ID: "id",
  TITLE: "title",
  STATUS: "status",
  RESPONSIBLE_ID: "responsibleId",
  CHANGED_DATE: "changedDate",
};

function startingRows(): Record<string, Row[]> {
  const at = { DATE_CREATE: "2026-01-01T10:00:00+00:00", DATE_MODIFY: "2026-01-01T10:00:00+00:00" };
  return {
    "crm.deal": [{ ID: "37", TITLE: "Renewal", ...at }],
    "crm.contact": [{ ID: "37", NAME: "Ada", ...at }],
    "crm.lead": [{ ID: "37", TITLE: "From the web", ...at }],
    "crm.company": [{ ID: "37", TITLE: "Example Ltd", ...at }],
    "tasks.task": [
      { id: "8017", title: "Call back", status: "2", createdDate: at.DATE_CREATE, changedDate: at.DATE_MODIFY },
    ],
  };
}

function failure(status: number, error: string, description: string): VendorAnswer {
  return { status, json: { error, error_description: description } };
}

async function post(handler: string, body: string): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(handler, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}
