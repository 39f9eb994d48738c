import type { ReplayPreviewObject } from "#lib/contract/wire/web";
import { validateInput } from "#lib/core/input/validate-input";
import { planReplay } from "#lib/domain/runs/create/plan-replay";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { transaction } from "#lib/platform/db/pool";

/**
 * Returns what a replay on the published version would keep, and whether the input still fits. Creates nothing.
 * @throws ApiError as planReplay
 */
export function previewReplay(reference: RunReference): Promise<ReplayPreviewObject> {
  return transaction(async (tx) => {
    const { original, target, input, again } = await planReplay(tx, {
      ...reference,
      version: "latest",
      mode: "resume",
    });
    const { versionId, version, definition, inputSchema: schema } = target;
    if (version === null) throw new Error(`the published version ${versionId} has no number`);
    return {
      version,
      is_same: versionId === original.versionId,
      definition,
      changed_steps: [...again],
      input_problems: (schema ? validateInput(schema, input) : []).map(({ pointer, message }) => {
        const field = fieldOf(pointer);
        const type = schema && Object.hasOwn(schema.properties, field) ? schema.properties[field]?.type : null;
        return { field, message, type: type ?? null };
      }),
    };
  });
}

/** The field of the input that a pointer leads into. */
function fieldOf(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}
