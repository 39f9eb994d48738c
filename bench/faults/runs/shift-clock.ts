/**
 * Loads before a worker's own code (`--import`) and shifts its wall clock by CHAOS_CLOCK_SHIFT_MS, starting after
 * CHAOS_CLOCK_JUMP_AFTER_MS. The monotonic clock advances evenly, as on a machine whose clock is set.
 */
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);
const jumpAfterMs = Number(process.env.CHAOS_CLOCK_JUMP_AFTER_MS ?? 0);
const RealDate = Date;

function shownNow(): number {
  return RealDate.now() + (performance.now() >= jumpAfterMs ? shiftMs : 0);
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [shownNow()] : args, newTarget),
  apply: () => new RealDate(shownNow()).toString(),
  get: (target, name, receiver) => (name === "now" ? shownNow : Reflect.get(target, name, receiver)),
});
