"use client";

import { BellRing, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { AlertRuleObject } from "#lib/contract/event/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { describeRule } from "@/components/features/outbound-events/event-words";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { FormError } from "@/components/ui/forms/form-error";
import { Switch } from "@/components/ui/forms/switch";
import { IconButton } from "@/components/ui/icon-button";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { useOnIntent } from "@/components/ui/use-on-intent";
import { RelativeTime } from "@/components/words/relative-time";

const loadDialog = () => import("@/components/features/outbound-events/alert-rule-dialog");
const ON_INTENT = [loadDialog];
const AlertRuleDialog = lazy(() => loadDialog().then((m) => ({ default: m.AlertRuleDialog })));

/** Lists the rules, which of them have fired, and a button to add one. */
export function AlertRules({ rules }: { rules: readonly AlertRuleObject[] }) {
  const [isCreating, setIsCreating] = useState(false);
  const canChange = useHasRole("admin");
  useOnIntent(ON_INTENT);
  return (
    <>
      {rules.length === 0 ? (
        <p className="rounded-3 border border-border p-3 text-text-2">
          No alert rules yet. A rule fires once per workflow and stays silent until the workflow recovers.
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-border rounded-3 border border-border">
          {rules.map((rule) => (
            <RuleItem key={rule.rule_id} rule={rule} canChange={canChange} />
          ))}
        </ul>
      )}
      {canChange ? (
        <div>
          <Button onClick={() => setIsCreating(true)}>
            <Plus aria-hidden className="size-4" />
            New alert rule
          </Button>
        </div>
      ) : null}
      <Suspense>{isCreating ? <AlertRuleDialog onClose={() => setIsCreating(false)} /> : null}</Suspense>
    </>
  );
}

function RuleItem({ rule, canChange }: { rule: AlertRuleObject; canChange: boolean }) {
  const invalidates = ["list_alert_rules"] as const;
  const change = useOperationMutation("set_alert_rule", { invalidates });
  const remove = useOperationMutation("delete_alert_rule", { invalidates });
  const [isAsking, setIsAsking] = useState(false);
  const sentence = describeRule(rule.kind, rule);
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{sentence}</p>
        <p className="text-dense text-text-3">{rule.workflow_name ?? "Every workflow (counted separately)"}</p>
        {rule.firing.map((firing) => (
          <p key={firing.workflow_id} className="mt-1.5 flex items-start gap-2 text-dense">
            <Chip tone="err" icon={BellRing}>
              Fired
            </Chip>
            <span className="min-w-0 pt-0.5 [overflow-wrap:anywhere]">
              {rule.workflow_id === null ? `${firing.workflow_name} · ` : null}
              <RelativeTime at={firing.fired_at} className="text-text-3" />
            </span>
          </p>
        ))}
        <FormError>{change.error?.message ?? null}</FormError>
      </div>
      {canChange ? (
        <>
          <Switch
            label={<span className="sr-only">{`On: ${sentence}`}</span>}
            isOn={rule.is_enabled}
            disabled={change.isPending}
            onChange={(isOn) => change.mutate({ rule_id: rule.rule_id, is_enabled: isOn })}
          />
          <IconButton icon={Trash2} size="sm" label={`Delete: ${sentence}`} onClick={() => setIsAsking(true)} />
          <LazyAlertDialog
            isOpen={isAsking}
            onClose={() => setIsAsking(false)}
            title="Delete the rule?"
            confirmLabel="Delete rule"
            isDestructive
            isBusy={remove.isPending}
            error={remove.error?.message ?? null}
            onConfirm={() => remove.mutate({ rule_id: rule.rule_id })}
          >
            <p>
              “{sentence}” for {rule.workflow_name ?? "every workflow"} will no longer be checked. To pause the rule,
              turn it off instead.
            </p>
          </LazyAlertDialog>
        </>
      ) : null}
    </li>
  );
}
