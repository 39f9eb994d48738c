import { createHash } from "node:crypto";

/** For tests: one secret of each kind that the journal redacts, different for each place. */
export function plantSecrets(place: string) {
  const seed = createHash("sha256").update(place).digest("hex");
  const digits = String(Number.parseInt(seed.slice(0, 8), 16) % 10_000).padStart(4, "0");
  const secrets = {
    bearer: `tok.${seed.slice(0, 14)}`,
    assigned: `assigned${seed.slice(0, 12)}`,
    named: `named${seed.slice(0, 14)}`,
    mail: `p${seed.slice(0, 10)}@planted.example`,
    phone: `+7 912 345-${digits.slice(0, 2)}-${digits.slice(2)}`,
    token: seed.slice(0, 44),
    own: `svc_${Buffer.from(seed.slice(0, 24)).toString("base64url")}`,
  };
  const texts = {
    bearer: `Authorization: Bearer ${secrets.bearer}`,
    assigned: `api_key=${secrets.assigned}`,
    mail: `Write to ${secrets.mail}.`,
    phone: secrets.phone,
    token: `see ${secrets.token}`,
    own: secrets.own,
  };
  const { named, ...inTexts } = secrets;
  return {
    /** Every secret of `value`. */
    secrets: Object.values(secrets),
    /** The secrets in fields of a JSON object. */
    value: { ...texts, nested: [{ access_token: named }] },
    /** Every secret of `text`. */
    textSecrets: Object.values(inTexts),
    /** The same secrets in one text; a secret that only its name gives away is not in it. */
    text: Object.values(texts).join(", "),
  };
}
