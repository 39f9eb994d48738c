import type { GraphNode } from "#lib/contract/graph";

/** What is worth knowing about a node beside what it does: stands at the foot of its card. */
export function listFacts(node: GraphNode): string[] {
  return node.type === "action_input" ? inputFacts(node) : workFacts(node);
}

function inputFacts(node: GraphNode): string[] {
  const properties = Array.isArray(node.data.properties) ? (node.data.properties as { required?: unknown }[]) : [];
  if (properties.length === 0) return [];
  const required = properties.filter((property) => property.required === true).length;
  return [`${properties.length} ${properties.length === 1 ? "field" : "fields"}`, `${required} required`];
}

function workFacts(node: GraphNode): string[] {
  const { maxRetries, continueOnFailure } = node.data;
  const facts: string[] = [];
  if (typeof maxRetries === "number" && maxRetries > 0) {
    facts.push(maxRetries === 1 ? "1 retry" : `${maxRetries} retries`);
  }
  if (continueOnFailure === true) facts.push("goes on when it fails");
  const [first = "", ...rest] = facts;
  return first === "" ? [] : [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}
