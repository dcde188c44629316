import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSetUpLink } from '../../server/members/set-up.ts'
import { httpReceiver, type Receiver } from '../support/receivers.ts'
import { go, newWindow, openStage, type Stage, watch } from './stage.ts'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  receiver = await httpReceiver((_, response) => response.writeHead(200).end('thank you'))
  stage = await openStage()
})
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

const shell = promisify(execFile)

/** Runs a snippet of the page as it was copied, and answers the status and the body. */
async function run(snippet: string): Promise<string> {
  const { stdout } = await shell('sh', ['-c', `${snippet} -s -w '\\n%{http_code}'`])
  return stdout
}

const snippet = (page: Page, text: string) => page.locator('pre', { hasText: text }).innerText()

it('a newcomer gets from the set-up link to a revoked key', async () => {
  const page = await (await newWindow(stage.chromium)).newPage()
  const problems = watch(page)

  // The set-up link makes the owner.
  await page.goto(`${stage.server.url}${await createSetUpLink(stage.server.database)}`)
  await page.getByLabel('E-mail').fill('mara@harbor.example')
  await page.getByLabel('Your name').fill('Mara Vogel')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create the owner' }).click()

  // Home leads through the first request: the printed curl, with the key in place.
  await page.getByRole('heading', { name: 'Send the first request' }).waitFor()
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.locator('.keyrow code').waitFor()
  const key = await page.locator('.keyrow code').innerText()
  const curl = await snippet(page, '/users')
  expect(curl).toContain(key)
  await page.getByText('Waiting for the first request').waitFor()
  expect(await run(curl)).toMatch(/200$/)
  await page.getByText('Received').first().waitFor()

  // The event, then Home with its figures.
  expect(await run(await snippet(page, '/events'))).toMatch(/200$/)
  await page.getByRole('heading', { name: /Everything arrives|Requests arrive/ }).waitFor()

  // The user's profile.
  await go(page, '/production/users')
  await page.getByRole('link', { name: /Ada/ }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  await page.getByText('subscription_activated').waitFor()

  // A webhook to a local receiver, a test, and its delivery.
  await go(page, '/production/webhooks')
  await page.getByRole('main').getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${receiver.port}/hooks`)
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('link', { name: 'Open the delivery' }).click()
  await page.locator('.badge', { hasText: 'Delivered' }).waitFor()
  await page.locator('pre', { hasText: 'thank you' }).waitFor()

  // The key gets another name, is revoked, and stops.
  await go(page, '/production/keys')
  await page.getByRole('button', { name: 'Edit the name of First key' }).click()
  await page.getByRole('textbox', { name: 'name of First key' }).fill('Back end')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Revoke Back end' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('Revoked').first().waitFor()
  await expect.poll(async () => await run(curl), { interval: 200 }).toMatch(/401$/)
  expect(problems).toEqual([])
})
