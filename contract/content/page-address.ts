/** A name and a password before the host. Browsers also read backslashes, and http without slashes, in this way. */
const USER_INFO = /^(https?:[\\/]*|[a-z][a-z0-9+.-]{0,30}:\/\/|[\\/]{2})[^\\/?#]*@/i

/** The address of a page without a name and a password. It need not be a valid one: an application may change it. */
export function withoutUserInfo(address: string): string {
  return address.replace(USER_INFO, '$1')
}
