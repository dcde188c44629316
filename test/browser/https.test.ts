import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSetUpLink } from '../../server/members/set-up.ts'
import { makeCertificate } from '../support/certificates.ts'
import { openStage, type Stage, watch } from './stage.ts'

let folder: string
let stage: Stage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usher-dashboard-tls-'))
  const { certPem, keyPem } = makeCertificate({ names: ['localhost'], ips: ['127.0.0.1'] })
  const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  await Promise.all([writeFile(tls.certFile, certPem), writeFile(tls.keyFile, keyPem)])
  stage = await openStage({ config: { tls, requireHttps: 'always' }, ca: certPem })
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

it('over HTTPS the browser takes a cookie of this host alone, which no script reads, and sign-out ends it', async () => {
  const context = await stage.chromium.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const problems = watch(page)
  await page.goto(`${stage.server.url}${await createSetUpLink(stage.server.database)}`)
  await page.getByLabel('E-mail').fill('mara@harbor.example')
  await page.getByLabel('Your name').fill('Mara Vogel')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.getByRole('heading', { name: 'Send the first request' }).waitFor()
  const closed = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/', domain: '127.0.0.1' }
  expect(await context.cookies()).toMatchObject([
    { ...closed, name: '__Host-usher' },
    { ...closed, name: '__Host-usher-browser' },
  ])
  expect(await page.evaluate('document.cookie')).toBe('')
  await page
    .getByRole('button', { name: /account and appearance/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // The other one keeps a way in for a browser that has signed in before.
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-usher-browser'])
  expect(problems).toEqual([])
})
