/** The limits of accounts, sign-ins, and workspaces. Part of `LIMITS`. */
export const ACCOUNT_LIMITS = {
  /** decisions, Workspaces. */
  inviteDays: 7,
  openInvites: 100,
  inviteMailsPerDay: 200,
  inviteMailsPerAddressPerDay: 3,
  /** decisions, Accounts: how long the emailed link works that sets a new password, and how many a person gets in a day. */
  passwordResetMinutes: 60,
  passwordResetMailsPerDay: 5,
  ownedWorkspaces: 10,
  /** decisions, Single sign-on. */
  ssoGroups: 100,
  ssoEmailDomains: 20,
  /** decisions, Accounts: failed attempts at an account before it waits, and of one source. */
  signInFailures: 10,
  sourceFailures: 50,
  /** decisions, Accounts: the first wait. It doubles with every failure, up to the longest. */
  signInFirstWaitSeconds: 60,
  signInLongestWaitSeconds: 3_600,
  sourceLongestWaitSeconds: 900,
  /** decisions, Accounts: one failure is forgotten in this time. 20 s allow 50 failures in the longest wait of a source. */
  signInForgetSeconds: 3_600,
  sourceForgetSeconds: 20,
  /**
   * decisions, Accounts: how often admins can unlock a member before they have to wait, as after failed sign-ins. At the
   * end an admin unlocks a member once a day.
   */
  memberUnlocks: 3,
  unlockLongestWaitSeconds: 86_400,
  unlockForgetSeconds: 86_400,
  /** decisions, Accounts: how long a browser stays known after a sign-in. */
  knownDeviceDays: 365,
  /** decisions, Accounts: each works once, in place of a second factor that was lost. */
  recoveryCodes: 10,
  /** decisions, Accounts: the page lists them all, and a sign-in names them all to the browser. */
  passkeysPerUser: 20,
  /** decisions, Accounts: a session ends then, however often it is used. */
  sessionDays: 7,
  /**
   * decisions, Accounts: stored sessions of a person. Each sign-in stores one for a week; the account page lists them all.
   */
  sessionsPerUser: 50,
  /** decisions, Accounts: how long a proof of identity allows changes to the account's security. */
  recentSignInMinutes: 10,
} as const;
