type WebCrypto = typeof globalThis.crypto

/** Everywhere but in Node 18 it is a global. The name is no literal, so that bundlers for the edge do not look for it. */
export async function webCrypto(): Promise<WebCrypto> {
  const builtIn = globalThis.crypto as WebCrypto | undefined
  if (builtIn) return builtIn
  const name = 'node:crypto'
  return ((await import(name)) as { webcrypto: WebCrypto }).webcrypto
}
