import { UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";
import { operatorWords } from "@/components/canvas/expressions/operators";
import type { DraftData } from "@/components/canvas/kinds/canvas-kind";
import { listOf, type SummaryPart, withChips, wordOf, words } from "@/components/canvas/kinds/summary-parts";

const RULES_SHOWN = 2;

/** Returns the first rules in words, joined by "and" or "or"; an empty list while no rule is complete. */
export function summarizeRules({ match, rules }: DraftData): SummaryPart[] {
  const joint = match === "any" ? "or" : "and";
  const complete = listOf(rules).filter((rule) => wordOf(rule.left) !== "");
  const parts = complete.slice(0, RULES_SHOWN).flatMap((rule, index) => {
    const said = summarizeRule(rule);
    return index === 0 ? said : [words(` ${joint} `), ...said];
  });
  const more = complete.length - RULES_SHOWN;
  return more > 0 ? [...parts, words(` ${joint} ${more} more`)] : parts;
}

function summarizeRule(rule: DraftData): SummaryPart[] {
  const operator = wordOf(rule.operator);
  const left = [...withChips(wordOf(rule.left)), words(` ${operatorWords(operator)}`)];
  const isUnary = (UNARY_OPERATORS as readonly string[]).includes(operator);
  return isUnary ? left : [...left, words(" "), ...withChips(wordOf(rule.right) || "?")];
}
