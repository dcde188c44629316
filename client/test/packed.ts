import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { newSecret, signPayload } from '../../contract/signature.ts'
import type { TestServer } from '../../test/support/client.ts'
import { freePort } from '../../test/support/free-port.ts'
import { installTarball } from '../../test/support/unpacked.ts'
import { answer, failure, neverAnswer, type Seen, scripted } from './support.ts'

const run = promisify(execFile)
const client = fileURLToPath(new URL('..', import.meta.url))

/** An empty project with the client from its packed tarball, and the trial; installed by npm in the long tests. */
export async function packedProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'usher-client-'))
  await run('npm', ['pack', '--pack-destination', project], { cwd: client })
  const [tarball] = await readdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]
  if (inject('isLong')) await run('npm', install, { cwd: project })
  else await installTarball(join(project, tarball as string), '@usher/client', project)
  await copyFile(new URL('trial.js', import.meta.url), join(project, 'trial.mjs'))
  return project
}

/** What `trial.js` needs. */
export interface TrialSettings {
  /** Of the events that it tracks. */
  name: string
  url: string
  apiKey: string
  /** Fails first, then answers. */
  unsteadyUrl: string
  silentUrl: string
  closedUrl: string
  secret: string
  body: string
  signature: string
}

/** The servers of one trial, and the requests that the unsteady one saw. */
export async function trialSettings({ url, key }: TestServer, name: string): Promise<[TrialSettings, Seen[]]> {
  const unsteady = await scripted(failure(503, 'unavailable'), answer(200, { id: name }))
  const silent = await scripted(neverAnswer)
  const secret = newSecret()
  const body = '{"id":"n_1","topic":"user.created","name":"Größe 📦"}'
  const settings = {
    ...{ name, url, apiKey: key, unsteadyUrl: unsteady.url, silentUrl: silent.url },
    closedUrl: `http://127.0.0.1:${await freePort()}`,
    ...{ secret, body, signature: signPayload(secret, Math.floor(Date.now() / 1000), body) },
  }
  return [settings, unsteady.seen]
}
