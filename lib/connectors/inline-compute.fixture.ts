import { parseObject } from "#lib/connectors/llm/output-schema";
import type { ComputePort } from "#lib/core/engine/ports";
import { findCase } from "#lib/core/expressions/find-case";
import { findMismatches } from "#lib/core/input/find-mismatches";

/** For tests: runs jobs in the test's own process. */
export const INLINE_COMPUTE: ComputePort = {
  findCase: async (cases) => findCase(cases),
  parseObject: async (text, schema, _signal, onKept) => parseObject(text, schema, onKept),
  checkValue: async (value, schema) => findMismatches(schema, value),
};
