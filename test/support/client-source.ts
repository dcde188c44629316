import { registerHooks } from 'node:module'

/** Loaded with `node --import`: `@usher/client` is the client of this project as it is written. */
const source = new URL('../../client/src/index.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@usher/client' ? { url: source, shortCircuit: true } : next(specifier, context),
})
