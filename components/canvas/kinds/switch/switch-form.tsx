"use client";

import { useState } from "react";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { isJsonObject } from "#lib/support/json";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeField, useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { Choice, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { RulesField } from "@/components/canvas/panel/fields/rules-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

type Case = Record<string, unknown>;
type Rule = Record<string, unknown>;

const NUMBERED = /^Case \d+$/;
const WAYS = [
  { value: "rules", label: "Rules of each case" },
  { value: "value", label: "One value" },
];

/** Edits the cases of a switch. The first case that matches wins, in this order. */
export function SwitchForm() {
  const cases = useNodeList(["cases"]);
  const field = useNodeField(["cases"]);
  const value = sharedValue(cases);
  const [isByValue, setByValue] = useState(() => value !== null && value !== "");
  function choose(way: string) {
    setByValue(way === "value");
    if (way === "rules") return;
    const [first] = cases.map(onlyEquals);
    const named = cases.map((item) => (NUMBERED.test(String(item.name)) ? unnamed(item) : item));
    field.set(named.map((item) => comparing(item, first?.left)));
  }
  const canCompare = cases.every((item) => onlyEquals(item) !== null);
  return (
    <>
      {canCompare ? (
        <Choice label="Decide by" options={WAYS} value={isByValue ? "value" : "rules"} onChoose={choose} />
      ) : null}
      {isByValue && value !== null ? <ValueCases cases={cases} /> : <RuleCases cases={cases} />}
    </>
  );
}

function RuleCases({ cases }: { cases: readonly Case[] }) {
  return (
    <ItemList
      path={["cases"]}
      title="Cases"
      noun="case"
      min={1}
      createItem={() => newCase(cases)}
      copyItem={(item) => copyCase(cases, item)}
    >
      {(path, _item, index) => (
        <>
          <PlainField path={[...path, "name"]} label="Name" placeholder="Large order" />
          <RulesField path={path} matchLabel="Use this case when" label={`Rules of case ${index + 1}`} />
        </>
      )}
    </ItemList>
  );
}

/** Edits cases that compare the same value: the value once, and a line per case. */
function ValueCases({ cases }: { cases: readonly Case[] }) {
  const field = useNodeField(["cases"]);
  const value = sharedValue(cases);
  return (
    <>
      <TemplateField
        path={["cases", 0, "rules", 0, "left"]}
        label="Value"
        placeholder="{{action_input.status}}"
        onSet={(left) => field.set(cases.map((item) => comparing(item, left)))}
      />
      <ItemList
        path={["cases"]}
        title="Cases"
        noun="case"
        min={1}
        createItem={() => unnamed(comparing(newCase(cases), value))}
        copyItem={(item) => copyCase(cases, item)}
      >
        {(path, _item, index) => (
          <TemplateField
            path={[...path, "rules", 0, "right"]}
            label={`Case ${index + 1} equals`}
            isLabelHidden
            placeholder="equals, such as paid"
          />
        )}
      </ItemList>
    </>
  );
}

/** Returns the only rule of a case if it tests for equality. */
function onlyEquals({ rules }: Case): Rule | null {
  const [rule, ...others] = Array.isArray(rules) ? rules : [];
  return others.length === 0 && isJsonObject(rule) && rule.operator === "equals" ? rule : null;
}

/** Returns the value that every case compares; null if the cases do more. */
function sharedValue(cases: readonly Case[]): unknown {
  const rules = cases.map(onlyEquals);
  const [first] = rules;
  return first && rules.every((rule) => rule !== null && rule.left === first.left) ? first.left : null;
}

function comparing(item: Case, left: unknown): Case {
  return { ...item, rules: [{ ...onlyEquals(item), left }] };
}

/** Without a name, the branch is called as the value that its case equals. */
function unnamed({ name: _, ...item }: Case): Case {
  return item;
}

/** The id is the handle of the case's edges, so it must differ from the ids of all other cases. */
function newCase(cases: readonly Case[]): Case {
  const taken = new Set(cases.map((item) => item.id));
  let number = cases.length + 1;
  while (taken.has(`case_${number}`)) number += 1;
  const rules = [{ left: "", operator: "equals", right: "" }];
  return { id: `case_${number}`, name: `Case ${number}`, match: "all", rules };
}

function copyCase(cases: readonly Case[], item: Case): Case {
  const { id } = newCase(cases);
  const names = new Set(cases.map(({ name }) => String(name)));
  return { ...item, id, ...(typeof item.name === "string" ? { name: nextFreeName(item.name, names) } : {}) };
}
