type WebCrypto = typeof globalThis.crypto

/** A global everywhere except in Node 18. The module name is not a literal, so that bundlers for edge runtimes do not resolve it. */
export async function webCrypto(): Promise<WebCrypto> {
  const builtIn = globalThis.crypto as WebCrypto | undefined
  if (builtIn) return builtIn
  const name = 'node:crypto'
  return ((await import(name)) as { webcrypto: WebCrypto }).webcrypto
}
