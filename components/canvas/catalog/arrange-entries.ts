import type { StepCatalog } from "@/components/canvas/catalog/build-catalog";
import {
  type CatalogEntry,
  ENTRY_GROUPS,
  type EntryGroup,
  GROUP_TITLES,
} from "@/components/canvas/catalog/catalog-entry";
import { withConnection } from "@/components/canvas/catalog/list-app-entries";

/** What the picker shows only a part of: a group, what the workspace made itself, or everything. */
export type Category = "all" | "own" | EntryGroup;

/** The app whose operations are listed. */
export interface OpenApp {
  connector: string;
  name: string;
  /** The connection that the new step gets; null leaves it to the operation. */
  connectionId: string | null;
}

export interface OfferedEntry {
  entry: CatalogEntry;
  /** Why it can't be added here; null when it can. */
  refusal: string | null;
}

export interface EntrySection {
  id: string;
  title: string;
  offers: OfferedEntry[];
  /** The category that lists the rest of a shortened section. */
  more?: Category;
}

export interface Wish {
  query: string;
  category: Category;
  app: OpenApp | null;
  /** Ids of the entries that the user chose last. */
  recent: readonly string[];
  refusalOf: (entry: CatalogEntry) => string | null;
}

const RECENT_MAX = 3;
/** Few enough that the most used kinds of steps are visible below them without scrolling, on a screen of 720 px. */
const APPS_MAX = 4;
const ACTIONS_MAX = 5;
/** Reasons for what can't be added are worth a few lines, not a screen. */
const REFUSED_MAX = 8;

/** Returns what the picker lists, by section; what can't be added comes last. */
export function arrangeEntries(catalog: StepCatalog, wish: Wish): EntrySection[] {
  const offers = candidates(catalog, wish).map((entry) => ({ entry, refusal: wish.refusalOf(entry) }));
  const fitting = offers.filter(({ refusal }) => refusal === null);
  const refused = offers.filter(({ refusal, entry }) => refusal !== null && (wish.query !== "" || isKind(entry)));
  const isOverview = wish.query === "" && wish.category === "all" && wish.app === null;
  const sections = isOverview ? overview(fitting, wish.recent) : byGroup(fitting, wish);
  if (wish.query.trim() !== "" && fitting.length + refused.length === 0) return anyService(catalog, wish);
  const away = { id: "refused", title: "Not available here", offers: refused.slice(0, REFUSED_MAX) };
  return [...sections, away].filter((section) => section.offers.length > 0);
}

/** Offered if nothing matches: the steps that reach any service. */
export const ANY_SERVICE_SECTION = "any-service";
const ANY_SERVICE = ["kind:connector", "app:mcp", "empty:mcp"];

function anyService({ entries }: StepCatalog, { app, refusalOf }: Wish): EntrySection[] {
  const offers = entries
    .filter(({ id }) => ANY_SERVICE.includes(id))
    .map((entry) => ({ entry, refusal: refusalOf(entry) }))
    .filter(({ refusal }) => refusal === null);
  return app !== null || offers.length === 0 ? [] : [{ id: ANY_SERVICE_SECTION, title: "Reach any service", offers }];
}

/** In an overview, only the reasons about step kinds matter; there are too many triggers of apps. */
function isKind({ group, app }: CatalogEntry): boolean {
  return app === null && (group === "steps" || group === "start");
}

function candidates({ entries, search }: StepCatalog, { query, category, app }: Wish): readonly CatalogEntry[] {
  const found = query.trim() === "" ? entries : search(query);
  if (app === null) return found.filter((entry) => isIn(category, entry));
  // The search returns the best of all apps, so a short list of one app is searched by its own words.
  const own = query.trim() === "" ? entries : search(`${app.name} ${query}`);
  return own
    .filter((entry) => entry.choice.kind === "step" && entry.app?.connector === app.connector)
    .filter((entry) => app.connectionId === null || !isOfOther(entry, app.connectionId))
    .map((entry) => presetConnection(entry, app.connectionId));
}

function isIn(category: Category, { group, isOwn }: CatalogEntry): boolean {
  if (category === "all") return true;
  return category === "own" ? isOwn : group === category;
}

/** A tool of another server is not among the tools of this one. */
function isOfOther({ choice, app }: CatalogEntry, connectionId: string): boolean {
  if (app?.connector !== "mcp" || choice.kind !== "step") return false;
  return choice.step.data?.connection_id !== connectionId;
}

function presetConnection(entry: CatalogEntry, connectionId: string | null): CatalogEntry {
  const { choice } = entry;
  if (connectionId === null || choice.kind !== "step") return entry;
  return { ...entry, choice: { kind: "step", step: withConnection(choice.step, connectionId) } };
}

/** Sections in the order of their best entry, so that the first line is the best match. */
function byGroup(offers: OfferedEntry[], { query, app }: Wish): EntrySection[] {
  const groups = Map.groupBy(offers, ({ entry }) => entry.group);
  const order = query.trim() === "" ? ENTRY_GROUPS.filter((group) => groups.has(group)) : [...groups.keys()];
  return order.map((group) => {
    const title = app !== null && group === "apps" ? app.name : GROUP_TITLES[group];
    return { id: group, title, offers: groups.get(group) ?? [] };
  });
}

function overview(offers: OfferedEntry[], recent: readonly string[]): EntrySection[] {
  const inGroup = (group: EntryGroup) => offers.filter(({ entry }) => entry.group === group);
  const latest = recent.flatMap((id) => offers.filter(({ entry }) => entry.id === id)).slice(0, RECENT_MAX);
  const starts = inGroup("start");
  const section = (group: EntryGroup, own = inGroup(group)) => ({ id: group, title: GROUP_TITLES[group], offers: own });
  const apps: EntrySection = { ...section("apps", preferConnected(inGroup("apps")).slice(0, APPS_MAX)), more: "apps" };
  const steps = section("steps");
  return [
    section("start", starts),
    { id: "recent", title: "Recent", offers: starts.length > 0 ? [] : latest },
    // A workflow without a start needs one first; its apps are among the triggers.
    ...(starts.length > 0 ? [steps, apps] : [apps, steps]),
    { ...section("actions", inGroup("actions").slice(0, ACTIONS_MAX)), more: "actions" },
    section("fragments"),
  ];
}

/** One line per app, the apps that the workspace is connected to first. */
function preferConnected(offers: OfferedEntry[]): OfferedEntry[] {
  const apps = offers.filter(({ entry }) => entry.choice.kind === "app" && !entry.id.startsWith("connection:"));
  return apps.toSorted((a, b) => b.entry.weight - a.entry.weight);
}
