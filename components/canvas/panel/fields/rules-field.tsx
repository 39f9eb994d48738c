"use client";

import { CONDITION_OPERATORS, UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";
import type { DataSource } from "@/components/canvas/document/earlier-data";
import type { Path } from "@/components/canvas/document/edit-data";
import { operatorWords } from "@/components/canvas/expressions/operators";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeField, useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

const OPERATORS = CONDITION_OPERATORS.map((operator) => ({ value: operator, label: operatorWords(operator) }));
const MATCHES = [
  { value: "all", label: "all rules match" },
  { value: "any", label: "any rule matches" },
];

interface RulesFieldProps {
  /** Path of the object that contains `match` and `rules`: the node's data, or one of its cases. */
  path: Path;
  matchLabel: string;
  /** Example of the value that a rule usually compares. */
  placeholder?: string;
  /** Values that the rules can use, if different from the data of earlier steps. */
  sources?: readonly DataSource[];
  /** The name of the list, where a form has several. */
  label?: string;
}

/** Edits rules, and whether all or any of them must match. */
export function RulesField({ path, matchLabel, placeholder, sources, label }: RulesFieldProps) {
  const rules = useNodeList([...path, "rules"]);
  return (
    <>
      {rules.length > 1 ? (
        <ChoiceField path={[...path, "match"]} label={matchLabel} options={MATCHES} fallback="all" />
      ) : null}
      <ItemList
        path={[...path, "rules"]}
        title="Rules"
        label={label}
        noun="rule"
        min={1}
        createItem={() => ({ left: "", operator: "equals", right: "" })}
      >
        {(rulePath, rule) => <Rule path={rulePath} rule={rule} placeholder={placeholder} sources={sources} />}
      </ItemList>
    </>
  );
}

interface RuleProps {
  path: Path;
  rule: Record<string, unknown>;
  placeholder: string | undefined;
  sources: readonly DataSource[] | undefined;
}

function Rule({ path, rule, placeholder = "{{action_input.amount}}", sources }: RuleProps) {
  const field = useNodeField(path);
  const operator = typeof rule.operator === "string" ? rule.operator : "equals";
  const given = sources === undefined ? {} : { sources };
  const isUnary = (UNARY_OPERATORS as readonly string[]).includes(operator);
  /** Keeps the right side only for operators that use it. When it returns, it is an empty text instead of missing. */
  function changeOperator(next: string) {
    const { right, ...rest } = rule;
    const needsRight = !(UNARY_OPERATORS as readonly string[]).includes(next);
    field.set({ ...rest, operator: next, ...(needsRight ? { right: right ?? "" } : {}) });
  }
  return (
    <>
      <TemplateField path={[...path, "left"]} label="Value" placeholder={placeholder} {...given} />
      <ChoiceField
        path={[...path, "operator"]}
        label="Comparison"
        isLabelHidden
        options={OPERATORS}
        fallback="equals"
        onChoose={changeOperator}
      />
      {isUnary ? null : (
        <TemplateField
          path={[...path, "right"]}
          {...given}
          label={operator === "matches" ? "Pattern" : "Compared with"}
          placeholder={operator === "matches" ? "^A-[0-9]+$" : "500"}
          {...(operator === "matches" ? { hint: "RE2 syntax" } : {})}
        />
      )}
    </>
  );
}
