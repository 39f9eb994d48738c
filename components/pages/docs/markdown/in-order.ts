import { createElement, Fragment, type ReactElement, type ReactNode } from "react";

/** Nodes whose number and order never change, so that none of them needs a key. */
export function inOrder(nodes: readonly ReactNode[]): ReactElement {
  return createElement(Fragment, null, ...nodes);
}
