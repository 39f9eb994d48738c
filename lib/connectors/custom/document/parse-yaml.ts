import { CORE_SCHEMA, defineScalarTag, intCoreTag, loadAll, mergeTag, YAMLException } from "js-yaml";
import { losesDigits } from "#lib/support/exact-json";

/** Documents repeat a few schemas by alias. Each alias counts as often as it is used (`assertBounded`). */
const ALIASES_MAX = 1_000;
/** A merge copies keys, so a few lines could write a million of them. */
const MERGED_KEYS_MAX = 100_000;
/** A document has at most half of it (`parse-document.ts`); the text is invalid above it, not only too deep. */
const DEPTH_MAX = 200;

/** A text that is not YAML. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  /** From 1; null if the fault has no place. */
  readonly line: number | null;
  readonly column: number | null;
  /** A mapping contains a key twice. */
  readonly isRepeatedKey: boolean;

  constructor({ reason, mark }: YAMLException) {
    super(reason);
    this.line = mark === undefined ? null : mark.line + 1;
    this.column = mark === undefined ? null : mark.column + 1;
    this.isRepeatedKey = reason.includes("duplicated mapping key");
  }
}

/** An integer beyond 2^53 stays a text with its digits, as in JSON. */
const exactInt = defineScalarTag<number | string>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, ...rest) =>
    /^[+-]?\d{16,}$/.test(source) && losesDigits(source) ? source : intCoreTag.resolve(source, ...rest),
});
/** YAML 1.2 with merge keys, which YAML 1.2 has dropped and documents still use. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, exactInt);
const OPTIONS = {
  schema: SCHEMA,
  maxDepth: DEPTH_MAX,
  maxAliases: ALIASES_MAX,
  maxTotalMergeKeys: MERGED_KEYS_MAX,
};

interface ParsedYaml {
  value: unknown;
  /** The first key that a mapping contains twice. The last one of them counts, as in JSON. */
  repeated: YamlFault | null;
}

/**
 * Parses a YAML 1.2 text, or the first of several documents in it. Tags that create objects are not part of it. The parser
 * stops at the first fault and takes about 0.1 s of CPU time per MiB.
 * @throws YamlFault, RangeError if it is nested too deeply
 */
export function parseYaml(text: string): ParsedYaml {
  try {
    return { value: parse(text, false), repeated: null };
  } catch (fault) {
    if (!(fault instanceof YamlFault) || !fault.isRepeatedKey) throw fault;
    return { value: parse(text, true), repeated: fault };
  }
}

function parse(text: string, allowsRepeated: boolean): unknown {
  try {
    return loadAll(text, { ...OPTIONS, json: allowsRepeated })[0];
  } catch (cause) {
    if (cause instanceof YAMLException) {
      throw cause.reason.includes("maxDepth") ? new RangeError(cause.reason) : new YamlFault(cause);
    }
    throw cause;
  }
}
