const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_POINT = 128;

/** The ASCII form of a label that is not ASCII, without `xn--` (RFC 3492). */
export function encodePunycode(label: string): string {
  const points = Array.from(label, (char) => char.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < INITIAL_POINT);
  let encoded = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let handled = basic.length;
  let point = INITIAL_POINT;
  let bias = INITIAL_BIAS;
  let delta = 0;
  while (handled < points.length) {
    const least = points.reduce((lowest, item) => (item >= point && item < lowest ? item : lowest), 0x110000);
    delta += (least - point) * (handled + 1);
    point = least;
    for (const item of points) {
      if (item < point) delta += 1;
      if (item !== point) continue;
      encoded += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    point += 1;
  }
  return encoded;
}

function encodeDelta(delta: number, bias: number): string {
  let digits = "";
  let rest = delta;
  for (let step = BASE; ; step += BASE) {
    const threshold = Math.min(T_MAX, Math.max(T_MIN, step - bias));
    if (rest < threshold) return digits + rest.toString(BASE).replace(/./, toDigit);
    const digit = threshold + ((rest - threshold) % (BASE - threshold));
    digits += toDigit(digit.toString(BASE));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

/** Punycode counts a-z before 0-9, numbers in base 36 the other way round. */
function toDigit(digit: string): string {
  return "abcdefghijklmnopqrstuvwxyz0123456789".charAt(Number.parseInt(digit, BASE));
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let steps = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) >> 1) {
    rest = Math.floor(rest / (BASE - T_MIN));
    steps += BASE;
  }
  return steps + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
