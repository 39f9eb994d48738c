import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { load } from "js-yaml";
import { HUBSPOT_VERSION } from "#lib/connectors/vendors/hubspot/object-pages";
import type { PublishedFacts } from "#lib/connectors/vendors/published-facts.fixture";
import { isJsonObject } from "#lib/support/json";
import { readBotApi } from "#scripts/vendor-facts/read-bot-api";
import { readDiscovery } from "#scripts/vendor-facts/read-discovery";
import { readMethodPages } from "#scripts/vendor-facts/read-method-pages";
import { readOpenapi } from "#scripts/vendor-facts/read-openapi";

interface Source {
  /** The repository with the vendor's published API, by the vendor or by a project that follows the vendor's pages. */
  repository: string;
  read(folder: string): { file: string; version: string; methods: PublishedFacts["methods"] };
}

const SOURCES: Readonly<Record<string, Source>> = {
  telegram: {
    repository: "PaulSonOfLars/telegram-bot-api-spec",
    read: (folder) => ({ file: "api.json", ...readBotApi(readJson(folder, "api.json")) }),
  },
  max: {
    repository: "max-messenger-bot/max-bot-api-schemas",
    read: (folder) => {
      const file = newest(folder, /^schema_[\d_]+\.yaml$/);
      const document: unknown = load(readText(folder, file));
      return { file, version: versionOf(document), methods: readOpenapi(document) };
    },
  },
  "google-sheets": {
    repository: "googleapis/google-api-nodejs-client",
    read: (folder) => {
      const file = "discovery/sheets-v4.json";
      const document = readJson(folder, file);
      return {
        file,
        version: isJsonObject(document) ? `v4, ${document.revision}` : "v4",
        methods: readDiscovery(document),
      };
    },
  },
  hubspot: {
    repository: "HubSpot/HubSpot-public-api-spec-collection",
    read: (folder) => {
      const file = "PublicApiSpecs";
      const documents = filesBelow(join(folder, file)).filter((path) => path.includes(`/${HUBSPOT_VERSION}/`));
      const used = documents.filter((path) => HUBSPOT_DOCUMENTS.test(path));
      const methods = used.flatMap((path) => Object.entries(readOpenapi(readJson("", path))));
      // The document names deals by their object type id. The API accepts the id in place of the name.
      const named = methods.map(([key, method]) => [key.replace("/0-3", "/deals"), method]);
      return { file, version: HUBSPOT_VERSION, methods: Object.fromEntries(named) };
    },
  },
  bitrix24: {
    repository: "bitrix24/b24restdocs",
    read: (folder) => {
      const file = "api-reference";
      const pages = filesBelow(join(folder, file)).filter((path) => BITRIX24_PAGES.test(path));
      return { file, version: "REST API", methods: readMethodPages(pages.map((path) => readText("", path))) };
    },
  },
};

const HUBSPOT_DOCUMENTS =
  /\/(associations|companies|contacts|crmOwners|deals|notes|oauth|pipelines|properties|tickets)\.json$/;
const BITRIX24_PAGES = /\/(crm|tasks|user|events|scopes|common)\/.*\.md$/;

/** Reads what vendors publish about their APIs, and writes it next to their connectors. */
const [vendor = "", folder] = process.argv.slice(2);
const source = SOURCES[vendor];
if (source === undefined || folder === undefined) {
  const lines = Object.entries(SOURCES).map(
    ([name, { repository }]) => `  ${name}  a checkout of github.com/${repository}`,
  );
  process.stderr.write(`Usage: npm run vendor-facts -- <vendor> <folder>\n\n${lines.join("\n")}\n`);
  process.exit(1);
}
// npm sets INIT_CWD to the user's current folder.
const { file, version, methods } = source.read(resolve(process.env.INIT_CWD ?? ".", folder));
const target = `lib/connectors/vendors/${vendor}/published-facts.json`;
writeFileSync(target, print({ document: `https://github.com/${source.repository} ${file}`, version }, methods));
process.stdout.write(`${target}: ${Object.keys(methods).length} methods of ${version}\n`);

function readText(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readText(folder, file));
}

function newest(folder: string, pattern: RegExp): string {
  const found = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .at(-1);
  if (found === undefined) throw new Error(`${folder} contains no file like ${pattern}.`);
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

function versionOf(document: unknown): string {
  const info = isJsonObject(document) && isJsonObject(document.info) ? document.info : {};
  return String(info.version);
}

/** Prints one method per line, so that a diff shows what a vendor changed. */
function print(from: PublishedFacts["source"], published: PublishedFacts["methods"]): string {
  const sorted = Object.entries(published).sort(([a], [b]) => a.localeCompare(b));
  const lines = sorted.map(([key, method]) => `    ${JSON.stringify(key)}: ${JSON.stringify(method)}`);
  return `{\n  "source": ${JSON.stringify(from)},\n  "methods": {\n${lines.join(",\n")}\n  }\n}\n`;
}
