import { postBackchannelLogout } from "#lib/api/auth/backchannel-logout-route";

export const POST = postBackchannelLogout;
