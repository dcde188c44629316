import { type Build, isBuilt } from '../dashboard/is-built.ts'

const build: Build = {
  built: 'sdk/dist/usher.js',
  sources: ['sdk', 'contract', 'package-lock.json', 'node_modules/.package-lock.json'],
}

/** Whether sdk/dist was built from the current sources and packages. */
export async function isScriptBuilt(): Promise<boolean> {
  return await isBuilt(undefined, build)
}
