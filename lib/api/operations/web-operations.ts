import type { z } from "zod";
import type { RegisteredOperation } from "#lib/api/operations/registry";

/**
 * Input and output of each operation that the browser can call with `POST /api/web/:operation`. Components import this
 * file by type only.
 */
export type WebOperations = {
  [Each in RegisteredOperation as Each["name"]]: {
    input: z.input<Each["input"]>;
    output: Awaited<ReturnType<Each["run"]>>;
  };
};
