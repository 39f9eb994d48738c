import { clsx } from "clsx";
import { useId } from "react";
import { APPROVAL_POLICIES, type ApprovalPolicy } from "#lib/contract/action/action";
import { APPROVAL_POLICY_WORDS } from "@/components/features/actions/approval-policy";

interface ApprovalChoiceProps {
  value: ApprovalPolicy;
  onChange: (policy: ApprovalPolicy) => void;
}

/** Lets the publisher choose whether a call runs at once or waits for approval. */
export function ApprovalChoice({ value, onChange }: ApprovalChoiceProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Approval</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {APPROVAL_POLICIES.map((policy) => (
          <label
            key={policy}
            className={clsx(
              "flex cursor-pointer items-start gap-2.5 rounded-2 border p-2.5",
              policy === value ? "border-accent bg-accent-weak" : "border-border hover:border-border-strong",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={policy === value}
              onChange={() => onChange(policy)}
              className="mt-1 accent-accent-solid"
            />
            <span>
              <span className="block font-medium">{APPROVAL_POLICY_WORDS[policy].short}</span>
              <span className="block text-dense text-text-2">{APPROVAL_POLICY_WORDS[policy].long}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
