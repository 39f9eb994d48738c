import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { ActionDetailObject, ActionObject } from "#lib/contract/action";
import type {
  actionDetailSchema,
  actionPageSchema,
  actionSchema,
  runPageSchema,
  runSchema,
} from "#lib/contract/openapi/wire-schemas";
import type { Page } from "#lib/contract/page";
import type { RunObject } from "#lib/contract/run";

// Checked by the type checker; vitest only counts it.
test("the described objects are those the code works with", () => {
  expectTypeOf<z.output<typeof runSchema>>().toEqualTypeOf<RunObject>();
  expectTypeOf<z.output<typeof actionSchema>>().toEqualTypeOf<ActionObject>();
  expectTypeOf<z.output<typeof actionDetailSchema>>().toEqualTypeOf<ActionDetailObject>();
  expectTypeOf<z.output<typeof runPageSchema>>().toEqualTypeOf<Page<RunObject>>();
  expectTypeOf<z.output<typeof actionPageSchema>>().toEqualTypeOf<Page<ActionObject>>();
});
