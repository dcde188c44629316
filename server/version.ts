import manifest from '../package.json' with { type: 'json' }

/** The version of Usher. */
export const VERSION: string = manifest.version
