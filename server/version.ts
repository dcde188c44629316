import manifest from '../package.json' with { type: 'json' }

/** Which Usher this is. */
export const VERSION: string = manifest.version
