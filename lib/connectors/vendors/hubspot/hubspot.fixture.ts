import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const HUBSPOT_TOKEN = "pat-eu1-canary-1a2b3c4d5e6f";
export const HUBSPOT_APPLICATION = { id: "3f2c9a51-app", secret: "canary-hubspot-secret-19" };
/** The OAuth endpoint of https://github.com/HubSpot/HubSpot-public-api-spec-collection, Auth/Oauth, 2026-03. */
export const HUBSPOT_TOKEN_PATH = "/oauth/2026-03/token";

interface CrmObject {
  id: string;
  properties: Record<string, string | null>;
  createdAt: string;
  updatedAt: string;
  archived: boolean;
}

interface Link {
  /** An object's path, such as `deals/77` or `contacts/512`. */
  from: string;
  to: string;
  type: number | "default";
}

/** The objects of one account: https://developers.hubspot.com/docs/api-reference. */
export interface TestHubSpot extends TestVendor {
  token: string;
  objects: Record<string, CrmObject[]>;
  links: Link[];
  /** Creates an object the way a HubSpot user would. */
  add(type: string, properties: Record<string, string>, createdAt?: Date): CrmObject;
}

/** For tests: starts a server that behaves like HubSpot's CRM API. */
export async function startHubSpot(): Promise<TestHubSpot> {
  let nextId = 501;
  const hubspot: TestHubSpot = Object.assign(await startVendor(answer), {
    token: HUBSPOT_TOKEN,
    objects: { contacts: [], companies: [], deals: [], tickets: [], notes: [] },
    links: [],
    add: (type: string, properties: Record<string, string>, createdAt = new Date()) => {
      const at = createdAt.toISOString();
      const object = {
        id: String(nextId++),
        properties: { ...properties, createdate: at },
        createdAt: at,
        updatedAt: at,
        archived: false,
      };
      hubspot.objects[type]?.push(object);
      return object;
    },
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.path === HUBSPOT_TOKEN_PATH) return grant(request);
    if (request.headers.authorization !== `Bearer ${hubspot.token}`) {
      return refusal(401, "Authentication credentials not found.", "INVALID_AUTHENTICATION");
    }
    if (request.path === "/account-info/2026-03/details") return { json: { portalId: 4242, accountType: "STANDARD" } };
    if (LISTS[request.path]) return { json: { results: LISTS[request.path] } };
    const linked = /^\/crm\/objects\/2026-03\/(\w+\/\w+)\/associations\/(default\/)?(\w+)(?:\/(\w+))?$/.exec(
      request.path,
    );
    if (linked) return associate(linked, request);
    const [, type = "", rest] = /^\/crm\/objects\/2026-03\/(\w+)(?:\/([^/]+))?$/.exec(request.path) ?? [];
    const all = hubspot.objects[type];
    if (!all) return null;
    if (rest === "search") return search(all, request.json);
    if (rest === undefined)
      return request.method === "POST"
        ? create(type, request)
        : { json: paged(all, request.query.get("after"), Number(request.query.get("limit") ?? 10)) };
    const object = all.find(({ id, archived }) => id === rest && !archived);
    if (!object) return refusal(404, "resource not found", "OBJECT_NOT_FOUND");
    return change(object, request);
  }

  /** Accepts parameters only in the body. The token expires too soon to be used without a renewal. */
  function grant({ form, query }: VendorRequest): VendorAnswer {
    const isKnown =
      form.get("client_id") === HUBSPOT_APPLICATION.id && form.get("client_secret") === HUBSPOT_APPLICATION.secret;
    if (!isKnown || query.size > 0) return { status: 400, json: { error: "invalid_client" } };
    const granted = { token_type: "bearer", token_use: "access_token", expires_in: 0.001 };
    return { json: { ...granted, access_token: hubspot.token, refresh_token: "canary-refresh-1" } };
  }

  function create(type: string, { json }: VendorRequest): VendorAnswer {
    const { properties } = json as { properties: Record<string, string> };
    const isTaken =
      properties.email !== undefined &&
      hubspot.objects[type]?.some((item) => item.properties.email === properties.email);
    if (isTaken) return refusal(409, "Contact already exists. Existing ID: 501", "CONFLICT");
    const made = hubspot.add(type, properties);
    const asked = (json.associations ?? []) as { to: { id: string }; types: { associationTypeId: number }[] }[];
    for (const { to, types } of asked)
      hubspot.links.push(
        ...types.map((link) => ({ from: `${type}/${made.id}`, to: to.id, type: link.associationTypeId })),
      );
    return { status: 201, json: made };
  }

  /** CRM/Associations of https://github.com/HubSpot/HubSpot-public-api-spec-collection. */
  function associate([, from = "", isDefault, type = "", id]: string[], request: VendorRequest): VendorAnswer | null {
    const to = `${type}/${id}`;
    if (request.method === "GET" && id === undefined) {
      const found = hubspot.links.filter((link) => link.from === from && link.to.startsWith(`${type}/`));
      const results = found.map((link) => ({ toObjectId: link.to.replace(/^.*\//, ""), associationTypes: [] }));
      const start = Number(request.query.get("after") ?? 0);
      const end = start + Number(request.query.get("limit") ?? 500);
      const more = end < results.length ? { paging: { next: { after: String(end) } } } : {};
      return { json: { results: results.slice(start, end), ...more } };
    }
    hubspot.links = hubspot.links.filter((link) => link.from !== from || link.to !== to);
    if (request.method === "DELETE") return { status: 204 };
    if (request.method !== "PUT") return null;
    if (isDefault) hubspot.links.push({ from, to, type: "default" });
    else {
      const labels = JSON.parse(request.text) as { associationTypeId: number }[];
      hubspot.links.push(...labels.map(({ associationTypeId }) => ({ from, to, type: associationTypeId })));
    }
    return { json: { status: "COMPLETE", results: [] } };
  }

  function change(object: CrmObject, { method, json }: VendorRequest): VendorAnswer {
    if (method === "DELETE") {
      object.archived = true;
      return { status: 204 };
    }
    if (method === "PATCH") Object.assign(object.properties, json.properties);
    return { json: object };
  }

  function search(all: CrmObject[], asked: Record<string, unknown>): VendorAnswer {
    const filters =
      (
        asked.filterGroups as { filters: { propertyName: string; operator: string; value: string }[] }[] | undefined
      )?.[0]?.filters ?? [];
    const text = typeof asked.query === "string" ? asked.query : "";
    const fits = all.filter(
      (item) =>
        JSON.stringify(item.properties).includes(text) &&
        filters.every((filter) =>
          filter.operator === "GTE"
            ? Date.parse(item.properties[filter.propertyName] ?? "") >= Number(filter.value)
            : item.properties[filter.propertyName] === filter.value,
        ),
    );
    const sorted = fits.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    return {
      json: {
        total: fits.length,
        ...paged(sorted, (asked.after as string | undefined) ?? null, Number(asked.limit ?? 10)),
      },
    };
  }
  return hubspot;
}

const stageOf = (id: string, label: string, archived = false) => ({
  id,
  label,
  archived,
  displayOrder: 0,
  metadata: {},
});
const propertyOf = (name: string, label: string, hidden = false) => ({ name, label, hidden, type: "string" });

/** Lists without pages: https://developers.hubspot.com/docs/api-reference/crm-pipelines-v3/guide and related pages. */
const LISTS: Record<string, unknown[]> = {
  "/crm/owners/2026-03": [
    { id: "77", email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", archived: false },
    { id: "78", email: "bob@example.com", firstName: "", lastName: "", archived: false },
  ],
  "/crm/pipelines/2026-03/deals": [
    {
      ...stageOf("default", "Sales"),
      stages: [stageOf("appointmentscheduled", "Appointment"), stageOf("gone", "Gone", true)],
    },
    { ...stageOf("p2", "Renewals"), stages: [stageOf("asked", "Asked")] },
  ],
  ...Object.fromEntries(
    ["contacts", "companies", "deals", "tickets", "notes"].map((type) => [
      `/crm/properties/2026-03/${type}`,
      [propertyOf("email", "Email"), propertyOf("hs_object_id", "Record ID", true)],
    ]),
  ),
};

function paged(all: CrmObject[], after: string | null, limit: number) {
  const from = Number(after ?? 0);
  const next = from + limit;
  const results = all.filter(({ archived }) => !archived);
  return {
    results: results.slice(from, next),
    ...(next < results.length ? { paging: { next: { after: String(next) } } } : {}),
  };
}

const refusal = (status: number, message: string, category: string): VendorAnswer => ({
  status,
  json: { status: "error", message, correlationId: "c", category },
});
