import { MACHINE_REASONS } from "#lib/contract/error/error-reasons";
import { ALERT_KINDS, type AlertKind } from "#lib/contract/event/outbound-event";
import { MEASURED_RUN_STATUSES, TRIAL_RUN_SOURCES } from "#lib/contract/run/run";
import { bigint, enumOf, float8, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** How often a rule is evaluated, by whichever worker comes first. */
const EVERY_SECONDS = 20;
const RULES_MAX = 20;
/** The most runs read of a window, the newest: an alert must not read a day of a busy workflow. */
const SAMPLE_MAX = 5_000;

const DUE_RULE = {
  id: uuid,
  workspace_id: uuid,
  workflow_id: nullable(uuid),
  kind: enumOf(ALERT_KINDS),
  threshold: float8,
  window_minutes: integer,
  min_runs: integer,
};

const takeDueRules = defineStatement({
  name: "find_due_alert_rules",
  params: { everySeconds: float8, limit: bigint },
  row: DUE_RULE,
  sql: `update alert_rules set evaluated_at = now() where id in (
          select id from alert_rules where is_enabled and evaluated_at < now() - make_interval(secs => $1)
          order by evaluated_at limit $2 for update skip locked)
        returning id, workspace_id, workflow_id, kind, threshold, window_minutes, min_runs`,
});

/**
 * Evaluates the alert rules that are due. A rule fires once for a workflow and is silent until that workflow has
 * recovered; the row that records this and the event are written together.
 * @returns how many rules were evaluated
 */
export async function evaluateAlerts(): Promise<number> {
  return transaction(async (tx) => {
    const rules = await takeDueRules.all(tx, { everySeconds: EVERY_SECONDS, limit: RULES_MAX });
    for (const rule of rules) await evaluate(tx, rule);
    return rules.length;
  });
}

/**
 * Tests of drafts say nothing about what is deployed; a cancelled run, and one that failed because of the machine,
 * neither failed nor succeeded.
 */
const OF_WORKFLOW = `r.workspace_id = w.workspace_id and r.workflow_id = w.id
  and r.status in ${sqlSet(MEASURED_RUN_STATUSES)} and r.source not in ${sqlSet(TRIAL_RUN_SOURCES)}
  and coalesce(r.error ->> 'reason', '') not in ${sqlSet(MACHINE_REASONS)}`;

/**
 * SQL of what a rule measures for a workflow `w`: `value`, whether it `is_over` the limit, and whether there are too
 * few runs to decide, which changes nothing. `$1` is the threshold, `$2` the window in minutes, `$3` the minimum number
 * of runs; the casts give them the same types in every kind.
 */
const MEASURES: Record<AlertKind, string> = {
  failures_in_a_row: `select count(*) filter (where not is_good) as value,
      count(*) >= $1::float8 and not bool_or(is_good) as is_over, false as is_unknown
    from (select r.status = 'succeeded' as is_good from runs r where ${OF_WORKFLOW}
      order by r.created_at desc, r.id desc limit ceil($1::float8)::integer) as latest`,
  error_rate: `select 100.0 * count(*) filter (where not is_good) / greatest(count(*), 1) as value,
      count(*) >= $3::integer and 100.0 * count(*) filter (where not is_good) / greatest(count(*), 1) >= $1::float8 as is_over,
      count(*) between 1 and $3::integer - 1 as is_unknown
    from (select r.status = 'succeeded' as is_good from runs r where ${OF_WORKFLOW}
      and r.created_at >= now() - make_interval(mins => $2) order by r.created_at desc, r.id desc limit ${SAMPLE_MAX}) as latest`,
  slow: `select coalesce(percentile_cont(0.95) within group (order by ms), 0) as value,
      count(*) >= $3::integer and percentile_cont(0.95) within group (order by ms) > $1 as is_over,
      count(*) between 1 and $3::integer - 1 as is_unknown
    from (select extract(epoch from r.completed_at - r.started_at) * 1000 as ms from runs r where ${OF_WORKFLOW}
      and r.status = 'succeeded' and r.started_at is not null and r.created_at >= now() - make_interval(mins => $2)
      order by r.created_at desc, r.id desc limit ${SAMPLE_MAX}) as latest`,
};

function defineEvaluation(kind: AlertKind) {
  return defineStatement({
    name: `evaluate_alert_${kind}`,
    params: {
      threshold: float8,
      windowMinutes: integer,
      minRuns: integer,
      ruleId: uuid,
      workspaceId: uuid,
      workflowId: nullable(uuid),
      kind: text,
    },
    sql: `with measured as materialized (
            select w.id as workflow_id, w.name, m.value::float8 as value, m.is_over, f.fired_at
            from workflows w
            left join alert_firings f on f.rule_id = $4 and f.workflow_id = w.id
            cross join lateral (${MEASURES[kind]}) m
            where w.workspace_id = $5 and ($6::uuid is null or w.id = $6) and w.deleted_at is null and not m.is_unknown
              and ($2::integer + $3::integer) is not null
          ), fired as (
            insert into alert_firings (rule_id, workflow_id, value)
            select $4, workflow_id, value from measured where is_over and fired_at is null on conflict do nothing
            returning workflow_id, fired_at
          ), recovered as (
            delete from alert_firings f using measured m
            where f.rule_id = $4 and f.workflow_id = m.workflow_id and m.is_over is not true returning f.workflow_id
          )
          select emit_event($5, t.type, jsonb_build_object('rule_id', $4::uuid, 'kind', $7::text, 'threshold', $1::float8,
              'window_minutes', $2::integer, 'value', m.value, 'workflow_id', m.workflow_id, 'workflow_name', m.name,
              'fired_at', coalesce(t.fired_at, m.fired_at)))
          from (select 'alert.fired' as type, workflow_id, fired_at from fired
            union all select 'alert.recovered', workflow_id, null from recovered) t
          join measured m using (workflow_id)`,
    isPrepared: false,
  });
}

const EVALUATIONS = {
  failures_in_a_row: defineEvaluation("failures_in_a_row"),
  error_rate: defineEvaluation("error_rate"),
  slow: defineEvaluation("slow"),
} satisfies Record<AlertKind, unknown>;

async function evaluate(tx: Db, rule: RowOf<typeof DUE_RULE>): Promise<void> {
  await EVALUATIONS[rule.kind].run(tx, {
    threshold: rule.threshold,
    windowMinutes: rule.window_minutes,
    minRuns: rule.min_runs,
    ruleId: rule.id,
    workspaceId: rule.workspace_id,
    workflowId: rule.workflow_id,
    kind: rule.kind,
  });
}
