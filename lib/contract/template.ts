import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";

/** A workflow to begin with. */
export interface TemplateObject {
  template_id: string;
  name: string;
  /** One sentence: what it does. */
  about: string;
  starts: "call" | "webhook" | "schedule";
  /** What has to be there or filled in before it runs; empty is ready to run. */
  needs: string[];
  /** What to try it with: the input of a call, or what the trigger would give. */
  sample_input: JsonObject;
  definition: Definition;
}
