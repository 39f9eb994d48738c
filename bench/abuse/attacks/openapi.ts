import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { callTool } from "#bench/abuse/send";
import { isServerFault, NO_ANSWER } from "#bench/abuse/tally";

const CONNECTIONS = 12;
const DEPTH = 24;
const OPERATIONS = 200;
const PROPERTIES = 150;

/** Sends documents that are small to write and large to expand. */
export const openOpenapi: OpenAttack = async (arena: Arena) => {
  const documents = [doublingRefs(), doublingYaml(), manyOperations(), deepSchema()];
  return {
    run: (over) =>
      inParallel(
        { connections: CONNECTIONS, over, count: arena.size === "short" ? 16 : Number.POSITIVE_INFINITY },
        async (index) => {
          const openapi = documents[index % documents.length];
          const source = { slug: `bomb-${index % 8}`, name: "Bomb", base_url: "https://bomb.example.com", openapi };
          const answer = await callTool(
            arena,
            index % 2 === 0 ? "build_connector" : "validate_connector",
            source,
            over,
          );
          if (answer?.code === "RATE_LIMIT_EXCEEDED") {
            await sleep(1_000, undefined, { signal: over }).catch(() => {});
          }
        },
      ),
    facts: () => {
      const unanswered = arena.tally.count((what) => what === NO_ANSWER || isServerFault(what));
      return [fact("every build is answered, none with 5xx", unanswered === 0, `${unanswered} others`)];
    },
  };
};

function documentWith(paths: object, schemas: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Bomb", version: "1" }, paths, components: { schemas } };
}

function post(schema: object): object {
  const content = { "application/json": { schema } };
  return { post: { requestBody: { content }, responses: { 200: { description: "ok", content } } } };
}

/** Returns schemas that each refer to the next one twice, so the document expands to two to the power of its depth. */
function doublingRefs(): object {
  const schemas = Object.fromEntries(
    Array.from({ length: DEPTH }, (_, level) => {
      const next = { $ref: `#/components/schemas/S${level + 1}` };
      return [`S${level}`, { type: "object", properties: { left: next, right: next } }];
    }),
  );
  const root = { $ref: "#/components/schemas/S0" };
  return documentWith({ "/bomb": post(root) }, { ...schemas, [`S${DEPTH}`]: { type: "string" } });
}

/** Returns a document that doubles at each level like `doublingRefs`, with YAML aliases. */
function doublingYaml(): string {
  const levels = Array.from({ length: DEPTH }, (_, level) => {
    const items = level === 0 ? "x, x" : `*a${level - 1}, *a${level - 1}`;
    return `  a${level}: &a${level} [${items}]`;
  });
  return `openapi: 3.1.0\ninfo: { title: Bomb, version: "1" }\npaths: {}\nx-bomb:\n${levels.join("\n")}\n`;
}

/** Returns as many operations as a body holds. */
function manyOperations(): object {
  const properties = Object.fromEntries(
    Array.from({ length: PROPERTIES }, (_, index) => [`p${index}`, { type: "string" }]),
  );
  const shared = { $ref: "#/components/schemas/Large" };
  const paths = Object.fromEntries(Array.from({ length: OPERATIONS }, (_, index) => [`/o${index}`, post(shared)]));
  return documentWith(paths, { Large: { type: "object", properties } });
}

/** Returns a schema that is nested as deep as a body may be. */
function deepSchema(): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < 10; level += 1) {
    const entries = Array.from({ length: 2 }, (_, index) => [`n${level}_${index}`, schema]);
    schema = { type: "object", properties: Object.fromEntries(entries), allOf: [schema] };
    if (JSON.stringify(schema).length > 300_000) break;
  }
  return documentWith({ "/deep": post(schema) });
}
