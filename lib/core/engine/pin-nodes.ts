import type { NodeHandler, NodeHandlers } from "#lib/core/engine/plan";

/** Outputs by node id that a test run takes for the nodes' own. */
export type Pins = ReadonlyMap<string, unknown>;

/**
 * Handlers under which a pinned node gives its pinned output instead of being executed: nothing is called, and it is still
 * skipped where its path is not taken, chooses its handle by the output and stands in the journal.
 */
export function pinNodes(handlers: NodeHandlers, pins: Pins): NodeHandlers {
  if (pins.size === 0) return handlers;
  const pinnable =
    (handler: NodeHandler): NodeHandler =>
    (node) => {
      const prepared = handler(node);
      if (!pins.has(node.id)) return prepared;
      const { isEntry, holdsBody, isResult, chosenHandle, namelessHandle } = prepared;
      const traits = { isEntry, holdsBody, isResult, chosenHandle, namelessHandle, hasSideEffects: false };
      const output = pins.get(node.id);
      return { ...traits, resolveInput: () => null, execute: () => output };
    };
  return Object.fromEntries(
    Object.entries(handlers).map(([type, handler]) => [type, pinnable(handler)]),
  ) as NodeHandlers;
}
