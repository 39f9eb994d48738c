/** The context that binds sealed credentials to their connection. */
export function credentialContext(connectionId: string): string {
  return `credential|${connectionId}`;
}

/** The context that binds a sealed sign-in at a service to its state. */
export function pendingContext(stateHash: Buffer): string {
  return `authorization|${stateHash.toString("hex")}`;
}
