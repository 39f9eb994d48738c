export { findSignUpMode } from "#lib/workspaces/find-sign-up-mode";
