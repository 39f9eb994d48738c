/**
 * Returns a value that exists once in a process, for state that must count everything. A variable of a module does not:
 * the production build has several copies of a module, and `next dev` reloads modules on every change.
 */
export function shareInProcess<Value>(name: string, create: () => Value): Value {
  const key = Symbol.for(`signalbox.${name}`);
  if (!Reflect.has(globalThis, key)) Reflect.set(globalThis, key, create());
  return Reflect.get(globalThis, key) as Value;
}
