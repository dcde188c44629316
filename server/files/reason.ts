import { getSystemErrorMessage } from 'node:util'

/** Why the file system has refused something, in words: `no such file or directory`. */
export function fileReason(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException
  return errno === undefined ? (message ?? String(error)) : getSystemErrorMessage(errno)
}
