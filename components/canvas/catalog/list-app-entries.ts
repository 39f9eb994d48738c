import type { CatalogApp } from "#lib/contract/connector/connector";
import type { CatalogEntry } from "@/components/canvas/catalog/catalog-entry";
import type { NewStep } from "@/components/canvas/layout/insert-node";

type CatalogOperation = CatalogApp["operations"][number];
type Connection = CatalogApp["connections"][number];

/** Services that the workspace is connected to, or that it described itself, are wanted more often. */
const CONNECTED_WEIGHT = 1.3;

/** Lists the apps, each followed by its operations, its triggers and the connections to it. */
export function listAppEntries(apps: readonly CatalogApp[]): CatalogEntry[] {
  return apps.flatMap((app) => {
    // The generic HTTP request is a step kind of its own.
    if (app.connector === "http") return app.connections.map((connection) => requestEntry(app, connection));
    const { operations } = app;
    const offered = app.serves_models
      ? [modelEntry(app)]
      : operations.map((item, place) => ({
          ...operationEntry(app, item),
          weight: weightOf(app) * weightAt(item, place),
        }));
    // Before a server is connected, the step itself leads to its connection.
    const opener = operations.length > 0 ? [appEntry(app)] : app.connector === "mcp" ? [emptyEntry(app)] : [];
    return [...opener, ...offered, ...connectionEntries(app)];
  });
}

/** Returns the connection that a new step gets: the only one that fits, counting those that work if any do. */
export function onlyConnection(connections: readonly Connection[]): string | null {
  const working = connections.filter(({ status }) => status === "connected");
  const [only, ...others] = working.length > 0 ? working : connections;
  return only === undefined || others.length > 0 ? null : only.connection_id;
}

/** Returns the same step with another connection. */
export function withConnection(step: NewStep, connectionId: string): NewStep {
  return { ...step, data: { ...step.data, connection_id: connectionId } };
}

function weightOf({ kind, connections }: CatalogApp): number {
  return kind === "custom" || connections.length > 0 ? CONNECTED_WEIGHT : 1;
}

/** A workflow has one trigger and many steps. A connector lists the operations that are used most first. */
function weightAt({ kind }: CatalogOperation, place: number): number {
  return (kind === "trigger" ? 0.8 : 1) - Math.min(place, 10) / 50;
}

function entryOf(app: CatalogApp): Omit<CatalogEntry, "id" | "choice"> {
  const { connector, name, kind, keywords } = app;
  const isOwn = kind === "custom";
  return {
    group: "apps",
    isOwn,
    title: name,
    app: { connector, name },
    description: "",
    keywords: "",
    weakKeywords: keywords,
    icon: { type: "connector", app: connector },
    weight: weightOf(app),
  };
}

function appEntry(app: CatalogApp): CatalogEntry {
  const { connector, description, keywords } = app;
  const choice = { kind: "app", connector, connectionId: null } as const;
  return { ...entryOf(app), id: `app:${connector}`, description, keywords, weakKeywords: "", choice };
}

function operationEntry(app: CatalogApp, item: CatalogOperation): CatalogEntry {
  const { connector, connections } = app;
  const { operation, name, description, keywords, kind } = item;
  const connectionId = item.connection_id ?? onlyConnection(connections);
  const common = { connector, ...(connectionId === null ? {} : { connection_id: connectionId }), params: {} };
  const isAction = kind === "action";
  const step: NewStep = isAction
    ? { type: "connector", name, data: { ...common, operation } }
    : { type: "trigger", name, data: { kind: "connector", ...common, event: operation } };
  return {
    ...entryOf(app),
    id: `${kind}:${connector}.${operation}${item.connection_id === undefined ? "" : `.${item.connection_id}`}`,
    app: { connector, name: serverName(app, item) ?? app.name },
    group: isAction ? "apps" : "triggers",
    title: name,
    description,
    keywords,
    // The name in definitions often has the word that people type: append_row, send_photo.
    weakKeywords: `${app.keywords} ${operation.replaceAll("_", " ")}`,
    icon: { type: step.type, app: connector },
    choice: { kind: "step", step },
  };
}

/** Opens a step without an operation, in which the user creates the connection. */
function emptyEntry(app: CatalogApp): CatalogEntry {
  const { connector, name, description, keywords } = app;
  const step: NewStep = { type: "connector", name, data: { connector, operation: "", params: {} } };
  return { ...entryOf(app), id: `empty:${connector}`, description, keywords, choice: { kind: "step", step } };
}

/** Returns the name of the connection that an operation belongs to, if it belongs to one. */
function serverName({ connections }: CatalogApp, { connection_id: id }: CatalogOperation): string | undefined {
  return connections.find((connection) => connection.connection_id === id)?.name;
}

/** A service of models is called by the LLM step. */
function modelEntry(app: CatalogApp): CatalogEntry {
  const connectionId = onlyConnection(app.connections) ?? "";
  const step: NewStep = { type: "llm", data: { connection_id: connectionId, model: "", prompt: "" } };
  return {
    ...entryOf(app),
    id: `model:${app.connector}`,
    title: "Ask a model",
    description: app.description,
    keywords: app.keywords,
    choice: { kind: "step", step },
  };
}

function requestEntry(app: CatalogApp, { connection_id, name }: Connection): CatalogEntry {
  const data = { connector: "http", operation: "request", params: { method: "GET", url: "" }, connection_id };
  return {
    ...entryOf(app),
    id: `connection:${connection_id}`,
    isOwn: true,
    title: "HTTP request",
    app: { connector: "http", name },
    description: "With the credentials of this connection",
    weakKeywords: "connection credentials",
    icon: { type: "connector", app: null },
    choice: { kind: "step", step: { type: "connector", name, data } },
  };
}

function connectionEntries(app: CatalogApp): CatalogEntry[] {
  if (app.kind === "custom" || app.serves_models) return [];
  return app.connections.map(({ connection_id, name }) => ({
    ...entryOf(app),
    id: `connection:${connection_id}`,
    isOwn: true,
    title: name,
    description: `Your ${app.name} connection`,
    keywords: "connection",
    choice: { kind: "app", connector: app.connector, connectionId: connection_id },
  }));
}
