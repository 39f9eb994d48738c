"use client";

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import { applyProblemFixes } from "@/components/canvas/actions/apply-problem-fixes";
import type { ProblemGroup } from "@/components/canvas/document/group-problems";
import { keyOf } from "@/components/canvas/document/server-problems";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import { ProblemButton } from "@/components/canvas/view/problem-button";
import { Button } from "@/components/ui/button";

interface ProblemItemProps {
  item: GraphProblem | ProblemGroup;
  isFixable: (problem: GraphProblem) => boolean;
  onChoose: (problem: GraphProblem) => void;
  /** Returns the button of a problem that has no fix. */
  remedyOf: (problem: GraphProblem) => ReactNode;
}

/** A problem, or those of one cause: the number of their steps, and each of them on demand. */
export function ProblemItem({ item, ...props }: ProblemItemProps) {
  if ("cause" in item) return <GroupItem group={item} {...props} />;
  const { isFixable, onChoose, remedyOf } = props;
  return (
    <li className="flex items-center gap-2">
      <span className="min-w-0 flex-1">
        <ProblemButton problem={item} onChoose={() => onChoose(item)} />
      </span>
      <Buttons>{isFixable(item) ? <FixButton problems={[item]} /> : remedyOf(item)}</Buttons>
    </li>
  );
}

function GroupItem({ group, ...props }: Omit<ProblemItemProps, "item"> & { group: ProblemGroup }) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const { cause, problems } = group;
  const count = new Set(problems.map(({ node_id }) => node_id)).size;
  const fixable = problems.filter(props.isFixable);
  // To allow a host once is enough for all steps of its connection.
  const [shared] = problems.filter(({ code }) => code === "HOST_NOT_ALLOWED");
  return (
    <li>
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-start gap-2.5 rounded-2 px-2 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
        >
          <span aria-hidden className="flex size-6 shrink-0 items-center justify-center text-text-3">
            <ChevronRight className={clsx("size-4", isOpen && "rotate-90")} strokeWidth={1.75} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{formatCount(count, "step")}</span>
            <span className="block text-dense text-text-2 [overflow-wrap:anywhere]">
              {problems[0]?.severity === "warning" ? <span className="text-warn">Warning: </span> : null}
              {cause}
            </span>
          </span>
        </button>
        <Buttons>
          {fixable.length > 0 ? <FixButton problems={fixable} /> : shared === undefined ? null : props.remedyOf(shared)}
        </Buttons>
      </div>
      <ul id={listId} hidden={!isOpen} className="ml-4">
        {isOpen ? problems.map((problem) => <ProblemItem key={keyOf(problem)} item={problem} {...props} />) : null}
      </ul>
    </li>
  );
}

function Buttons({ children }: { children: ReactNode }) {
  return <span className="mr-1 flex max-w-48 shrink-0 flex-col empty:hidden">{children}</span>;
}

function FixButton({ problems }: { problems: readonly GraphProblem[] }) {
  const session = useDraftSession();
  return (
    <Button size="sm" onClick={() => void applyProblemFixes(session, problems)}>
      {problems.length === 1 ? "Apply fix" : `Apply ${formatCount(problems.length, "fix", "fixes")}`}
    </Button>
  );
}
