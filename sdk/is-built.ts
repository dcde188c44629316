import { type Build, isBuilt } from '../dashboard/is-built.ts'

/** The file that the build writes last. */
const build: Build = {
  built: 'sdk/dist/usher.js.br',
  sources: ['sdk', 'contract', 'package-lock.json', 'node_modules/.package-lock.json'],
}

/** Whether sdk/dist was built from the current sources and packages. */
export async function isScriptBuilt(): Promise<boolean> {
  return await isBuilt(undefined, build)
}
