import { Cron } from "croner";
import { LIMITS } from "#lib/contract/limits";
import { firstMomentOf, jumpBetween, offsetAt, wallTimeAt } from "#lib/core/schedules/wall-time";

/** When a schedule fires (contract, Triggers; decisions, Schedules). */
export type Schedule =
  /** Fires every `seconds`, counted from the moment of activation. */
  | { mode: "interval"; seconds: number; anchoredAt: Date }
  /** Five fields, evaluated in the local time of an IANA zone. */
  | { mode: "cron"; expression: string; timezone: string };

const MINUTE_MS = 60_000;
/** An hour field that means every hour. Such an entry follows real hours instead of the local clock. */
const EVERY_HOUR = /^(?:\*|0-23)(?:\/1)?$/;

const calendars = new Map<string, Cron>();
const MAX_CALENDARS = 500;

/**
 * Returns the expression as a calendar without time zones. The functions below decide how it behaves when a zone's
 * clock jumps.
 * @throws Error if the expression is invalid
 */
function calendarOf(expression: string): Cron {
  const known = calendars.get(expression);
  if (known) return known;
  const calendar = new Cron(expression, { mode: "5-part", timezone: "UTC" });
  if (calendars.size >= MAX_CALENDARS) calendars.clear();
  calendars.set(expression, calendar);
  return calendar;
}

/** Returns the first fire after a moment; null if the schedule never fires again. */
export function nextFire(schedule: Schedule, after: Date): Date | null {
  if (schedule.mode === "interval") return nextInterval(schedule.anchoredAt, schedule.seconds, after);
  const { expression, timezone } = schedule;
  const next = EVERY_HOUR.test(hourField(expression)) ? nextInRealTime : nextOnTheWall;
  const fire = next(calendarOf(expression), timezone, after.getTime());
  return fire === null ? null : new Date(fire);
}

/** Lists the next fires after a moment, in order. */
export function nextFires(schedule: Schedule, after: Date, count: number): Date[] {
  const fires: Date[] = [];
  for (let fire = nextFire(schedule, after); fire !== null && fires.length < count; fire = nextFire(schedule, fire)) {
    fires.push(fire);
  }
  return fires;
}

function hourField(expression: string): string {
  return expression.trim().split(/\s+/)[1] ?? "";
}

function nextInterval(anchoredAt: Date, seconds: number, after: Date): Date {
  const step = seconds * 1_000;
  const passed = Math.max(0, Math.floor((after.getTime() - anchoredAt.getTime()) / step));
  return new Date(anchoredAt.getTime() + (passed + 1) * step);
}

/**
 * Finds the next fire of an entry at fixed hours. Times inside a gap fire once, together, at the end of the gap; times
 * that occur twice fire the first time.
 */
function nextOnTheWall(calendar: Cron, zone: string, afterMs: number): number | null {
  let wall = calendar.nextRun(new Date(wallTimeAt(zone, afterMs)));
  while (wall !== null) {
    const moment = firstMomentOf(zone, wall.getTime());
    if (moment > afterMs) return moment;
    wall = calendar.nextRun(wall);
  }
  return null;
}

/**
 * Finds the next fire of an entry at every hour: it fires whenever the local clock shows a matching time, on both
 * passes, and never in a gap.
 */
function nextInRealTime(calendar: Cron, zone: string, afterMs: number): number | null {
  const offset = offsetAt(zone, afterMs);
  const wall = calendar.nextRun(new Date(afterMs + offset));
  if (wall === null) return null;
  const moment = wall.getTime() - offset;
  if (offsetAt(zone, moment) === offset) return moment;
  // The clock jumps before that moment: continue from the jump, because its own minute may match.
  const jump = jumpBetween(zone, afterMs, moment);
  const first = calendar.nextRun(new Date(wallTimeAt(zone, jump) - MINUTE_MS));
  if (first !== null && first.getTime() === wallTimeAt(zone, jump)) return jump;
  return nextInRealTime(calendar, zone, jump);
}

/** The result of checking a schedule: at most one fire, no matter how long ago the last check was. */
export interface DueFires {
  /** The moment that fires now; null if the most recent one is too late. */
  fire: Date | null;
  /** The number of moments that passed and will never fire. */
  missed: number;
  next: Date | null;
}

/** More than the minutes of a day. Moments beyond that are not counted individually. */
const COUNTED_MAX = 1_500;

/**
 * Decides which of the passed moments fires (decisions, Schedules): the most recent one, if it is at most an hour late.
 * The others count as missed, so a downtime is not followed by a storm of runs.
 * @param nextAt the first moment that has not fired
 */
export function dueFires(schedule: Schedule, nextAt: Date, now: Date): DueFires {
  const { newest, due, next } =
    schedule.mode === "interval"
      ? passedIntervals(schedule.seconds, nextAt, now)
      : passedMoments(schedule, nextAt, now);
  const isInTime = now.getTime() - newest.getTime() <= LIMITS.scheduleLatenessMs;
  return { fire: isInTime ? newest : null, missed: isInTime ? due - 1 : due, next };
}

interface Passed {
  newest: Date;
  due: number;
  next: Date | null;
}

function passedIntervals(seconds: number, nextAt: Date, now: Date): Passed {
  const step = seconds * 1_000;
  const more = Math.max(0, Math.floor((now.getTime() - nextAt.getTime()) / step));
  const newest = new Date(nextAt.getTime() + more * step);
  return { newest, due: more + 1, next: new Date(newest.getTime() + step) };
}

function passedMoments(schedule: Schedule, nextAt: Date, now: Date): Passed {
  let [newest, next, due] = [nextAt, nextFire(schedule, nextAt), 1];
  while (next !== null && next <= now && due < COUNTED_MAX) {
    [newest, next, due] = [next, nextFire(schedule, next), due + 1];
  }
  if (next === null || next > now) return { newest, due, next };
  // Of the remaining moments, only those in the last hour can still fire.
  const horizon = new Date(now.getTime() - LIMITS.scheduleLatenessMs - 1);
  const late = nextFires(schedule, horizon, 61).filter((moment) => moment <= now);
  return { newest: late.at(-1) ?? newest, due, next: nextFire(schedule, now) };
}

/** Numbers, names, lists, ranges and steps. */
const FIELD = /^(?:[\d*,/-]|[A-Za-z]{3})+$/;
/** The last day of the month. */
const LAST_DAY = "L";
/** Weekdays of the month by their number: 1#2 is the second Monday, 5#L the last Friday. */
const NUMBERED_WEEKDAYS = /^(?:[0-7]|[A-Za-z]{3})#[1-5L](?:,(?:[0-7]|[A-Za-z]{3})#[1-5L])*$/;

/** Explains what is wrong with an expression; null if it is valid and fires at least once. */
export function explainExpression(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  const isField = (field: string, index: number) =>
    FIELD.test(field) || (index === 2 && field === LAST_DAY) || (index === 4 && NUMBERED_WEEKDAYS.test(field));
  if (fields.length !== 5 || !fields.every(isField)) {
    return "must have five fields of numbers, *, lists, ranges and steps: minute, hour, day of month, month, day of week. The day of month can be L for the last day, and the day of week 1#2 for the second Monday or 5#L for the last Friday";
  }
  try {
    return calendarOf(expression).nextRun(new Date(0)) === null ? "never fires: there is no such date" : null;
  } catch (error) {
    return `is not a valid cron expression: ${(error as Error).message.replace(/^CronPattern: /, "")}`;
  }
}
