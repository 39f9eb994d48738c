import { CORE_SCHEMA, loadAll, YAMLException } from "js-yaml";

/** Documents repeat a few schemas by alias. Each alias counts as often as it is used (`assertBounded`). */
const ALIASES_MAX = 1_000;
/** A document has at most half of it (`parse-document.ts`); the text is invalid above it, not only too deep. */
const DEPTH_MAX = 200;

/** A text that is not YAML. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  /** From 1; null if the fault has no place. */
  readonly line: number | null;
  readonly column: number | null;

  constructor({ reason, mark }: YAMLException) {
    super(reason);
    this.line = mark === undefined ? null : mark.line + 1;
    this.column = mark === undefined ? null : mark.column + 1;
  }
}

/**
 * Parses a YAML 1.2 text, or the first of several documents in it. Merge keys and tags that create objects are not part of it. The parser stops at the first fault and
 * takes about 0.1 s of CPU time per MiB.
 * @throws YamlFault, RangeError if it is nested too deeply
 */
export function parseYaml(text: string): unknown {
  try {
    return loadAll(text, { schema: CORE_SCHEMA, json: true, maxDepth: DEPTH_MAX, maxAliases: ALIASES_MAX })[0];
  } catch (cause) {
    if (cause instanceof YAMLException) {
      throw cause.reason.includes("maxDepth") ? new RangeError(cause.reason) : new YamlFault(cause);
    }
    throw cause;
  }
}
