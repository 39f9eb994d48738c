import { readFileSync } from "node:fs";
import {
  endpointSections,
  endpointTable,
  objectSections,
  toolTable,
} from "#lib/api/documentation/reference/api-sections.fixture";
import {
  apiErrorTable,
  apiReasonTable,
  problemTable,
  runErrorTable,
  runReasonTable,
  stepErrorTable,
  webErrorTable,
} from "#lib/api/documentation/reference/error-tables.fixture";
import {
  argumentTable,
  dateFieldTable,
  exampleData,
  functionTable,
} from "#lib/api/documentation/reference/function-tables.fixture";
import { limitTables, planTable } from "#lib/api/documentation/reference/limit-tables.fixture";
import { senderTable } from "#lib/api/documentation/reference/sender-tables.fixture";
import { settingTables } from "#lib/api/documentation/reference/setting-tables.fixture";
import {
  operatorTable,
  stepKindSections,
  stepKindTable,
} from "#lib/api/documentation/reference/step-kind-sections.fixture";

/** The parts of the reference pages that are generated from the code, by the name between the markers. */
const PARTS: Record<string, () => string> = {
  endpoints: endpointTable,
  "endpoint sections": endpointSections,
  objects: objectSections,
  tools: toolTable,
  "step kinds": stepKindTable,
  "step kind sections": stepKindSections,
  operators: operatorTable,
  functions: functionTable,
  "function arguments": argumentTable,
  "date fields": dateFieldTable,
  "example data": exampleData,
  settings: settingTables,
  "webhook senders": senderTable,
  plans: planTable,
  limits: limitTables,
  "api errors": apiErrorTable,
  "web errors": webErrorTable,
  "api reasons": apiReasonTable,
  "step errors": stepErrorTable,
  "run reasons": runReasonTable,
  "run errors": runErrorTable,
  problems: problemTable,
};

const MARKED = /(<!-- generated: ([a-z ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Returns the page with every part between markers generated again. Throws if no code generates a part. */
export function renderReferencePage(file: string): string {
  return readFileSync(file, "utf8").replace(MARKED, (_, start: string, name: string, end: string) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`${file}: no code generates "${name}"`);
    return `${start}\n${part()}\n\n${end}`;
  });
}

/** Returns the parts that a page contains. */
export function listGeneratedParts(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(MARKED)].map(([, , name = ""]) => name);
}

export const GENERATED_PARTS = Object.keys(PARTS);
