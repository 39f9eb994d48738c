import type { NodeHandler, NodeHandlers } from "#lib/core/engine/plan";

/** Pinned outputs of a test run, by node id. They replace the nodes' own outputs. */
export type Pins = ReadonlyMap<string, unknown>;

/**
 * Wraps handlers so that a pinned node returns its pinned output instead of being executed. It calls nothing, but
 * otherwise behaves like any node: it is skipped if its path is not taken or it is disabled, chooses its handle by the
 * output, and appears in the journal.
 */
export function pinNodes(handlers: NodeHandlers, pins: Pins): NodeHandlers {
  if (pins.size === 0) return handlers;
  const pinnable =
    (handler: NodeHandler): NodeHandler =>
    (node) => {
      const prepared = handler(node);
      if (!pins.has(node.id) || prepared.bypassHandle !== undefined) return prepared;
      const { isEntry, holdsBody, isResult, hasAddress, chosenHandle, namelessHandle, hasFailedBranch } = prepared;
      const own = { isEntry, holdsBody, isResult, hasAddress, chosenHandle, namelessHandle, hasFailedBranch };
      const traits = { ...own, hasSideEffects: false };
      const output = pins.get(node.id);
      return { ...traits, resolveInput: () => null, execute: () => output };
    };
  return Object.fromEntries(
    Object.entries(handlers).map(([type, handler]) => [type, pinnable(handler)]),
  ) as NodeHandlers;
}
