import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { memberOf, PASSWORD } from '../support/dashboard.ts'
import { httpReceiver } from '../support/receivers.ts'
import { seed } from './seed.ts'
import { go, load, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await seed(stage.server)
})
afterAll(async () => await stage.close())

it('a viewer finds every control, disabled, with the role that it needs', async () => {
  const page = await stage.show('viewer', '/account')
  const controls: [string, string, string][] = [
    ['/users', 'Add user', 'Needs the role member'],
    ['/users/u_1', 'Track event', 'Needs the role member'],
    ['/keys', 'Create key', 'Needs the role admin'],
    ['/members', 'Invite member', 'Needs the role admin'],
    ['/environments', 'Create environment', 'Needs the role admin'],
    ['/webhooks', 'Add endpoint', 'Needs the role admin'],
  ]
  for (const [path, name, reason] of controls) {
    await go(page, `/production${path}`)
    const button = page.getByRole('main').getByRole('button', { name }).first()
    expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true'])
    await page.getByText(reason).first().waitFor({ state: 'attached' })
    await button.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
})

it('a page that needs a higher role says so, and who can change it', async () => {
  await memberOf(stage.server, 'owner')
  const page = await stage.show('member', '/account')
  for (const path of ['/audit-log', '/system']) {
    await go(page, `/production${path}`)
    await page.getByText('Your role does not reach this page').waitFor()
    await page.getByText('can change your role').waitFor()
    expect(await page.getByRole('main').getByRole('link', { name: 'Export' }).count()).toBe(0)
    expect(await page.getByRole('main').getByRole('combobox').count()).toBe(0)
  }
})

it('a member changes an attribute, and sees the new value', async () => {
  const page = await stage.show('member', '/users/u_2')
  await page.getByRole('button', { name: /^Edit seats/ }).click()
  const field = page.getByRole('textbox', { name: 'seats' })
  await field.fill('many')
  await field.press('Enter')
  await page.getByText('seats must be a number.').waitFor()
  await field.fill('99')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Edit seats: 99' }).waitFor()
  await page.getByRole('button', { name: 'Edit two_factor: true' }).click()
  await page.getByLabel('two_factor', { exact: true }).selectOption('false')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit two_factor: false' }).click()
  await page.getByLabel('two_factor', { exact: true }).selectOption('true')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit two_factor: true' }).waitFor()
})

it('a dialog that is confirmed after the session has ended leads to sign-in, and back', async () => {
  const owner = await memberOf(stage.server, 'owner')
  await owner.call('createKey', { environment: 'production', name: 'Spare' })
  const page = await stage.show('admin', '/keys')
  await page
    .getByRole('button', { name: /^Revoke / })
    .first()
    .click()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('back')).toBe('/production/keys')
})

it('a role that was taken away meanwhile is shown with the first refusal', async () => {
  const page = await stage.show('admin', '/keys')
  const owner = await memberOf(stage.server, 'owner')
  for (const { id, role } of (await owner.call('listMembers', {})).data)
    if (role === 'admin') await owner.call('updateMember', { member_id: id, role: 'viewer' })
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Late')
  await page.keyboard.press('Enter')
  await page.locator('main button[aria-disabled]', { hasText: 'Create key' }).waitFor()
  await stage.tab('admin')
})

it('an invitation is revoked after a question', async () => {
  const owner = await memberOf(stage.server, 'owner')
  await owner.call('createInvitation', { email: 'jun@kestrel.example', role: 'viewer' })
  const page = await stage.show('owner', '/members')
  const open = page.getByRole('button', { name: 'Revoke the invitation of jun@kestrel.example' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Revoke the invitation of jun@kestrel.example?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await owner.call('listMembers', {})).invitations).toHaveLength(1)
  await open.click()
  await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByText('The invitation was revoked.').waitFor()
  await open.waitFor({ state: 'detached' })
  expect((await owner.call('listMembers', {})).invitations).toEqual([])
})

it('a member gives up their own role after a question, and is told when they remove themselves', async () => {
  await memberOf(stage.server, 'owner')
  await stage.tab('owner')
  const page = await stage.show('owner', '/members')
  const own = page.getByRole('row').filter({ has: page.getByText('you', { exact: true }) })
  await own.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Remove member' }).click()
  await page.getByRole('dialog', { name: 'Remove yourself?' }).getByRole('button', { name: 'Cancel' }).click()
  const choose = async (role: string) => {
    await own.getByRole('combobox').click()
    await page.getByRole('option', { name: role }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Give up the role owner?' })
  await choose('viewer')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await own.getByRole('combobox').textContent()).toBe('owner')
  await choose('viewer')
  await dialog.getByRole('button', { name: 'Become viewer' }).click()
  await page.locator('main button[aria-disabled]', { hasText: 'Invite member' }).waitFor()
  await stage.tab('owner')
})

it('signing out leads to sign-in, and a page asked for afterwards leads back to it', async () => {
  const page = await stage.show('viewer', '/keys')
  await page
    .getByRole('button', { name: /account and appearance/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${stage.server.url}/app/production/users?q=ada`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('back')).toBe('/production/users?q=ada')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Enter your e-mail address.').waitFor()
  await page.getByText('Enter your password.').waitFor()
  await page.goto(`${stage.server.url}/app/invitation#cut`)
  await page.getByText('Ask the person who invited you for a new one.').waitFor()
})

it('the address of a member is not cut on a phone', async () => {
  await memberOf(stage.server, 'viewer', 'alexandra.whitfield@kestrel-freight.example')
  const page = await stage.show('owner', '/members')
  await page.setViewportSize({ width: 375, height: 812 })
  onTestFinished(async () => await page.setViewportSize({ width: 1440, height: 1000 }))
  const address = page.getByText('alexandra.whitfield@kestrel-freight.example')
  expect(await address.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
})

it('a form and a script of another site change nothing, also where the browser sends the cookie along', async () => {
  const page = await stage.tab('owner')
  const target = `${stage.server.url}/app/api/environments`
  // Another port is the same site for cookies, but another origin.
  const evil = await httpReceiver((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<form method="post" action="${target}" enctype="text/plain"><input name='{"name":"Evil","x":"' value='"}'></form>`,
      ),
  )
  await page.goto(`http://127.0.0.1:${evil.port}/`)
  const sent = page.waitForRequest(target)
  const answered = page.waitForResponse(target)
  await page.evaluate('document.forms[0].submit()')
  expect((await (await sent).allHeaders()).cookie).toContain('usher=')
  expect((await answered).status()).toBe(403)
  await page.waitForURL(target)
  await page.goto(`http://127.0.0.1:${evil.port}/`)
  const body = JSON.stringify({ name: 'Evil' })
  const script = `fetch('${target}', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '${body}' })`
  expect(await page.evaluate(`${script}.then(() => 'read', () => 'refused')`)).toBe('refused')
  const { data } = (await (await page.request.get(target)).json()) as { data: { name: string }[] }
  expect(data.map(({ name }) => name)).not.toContain('Evil')
  await evil.close()
})

it('a stolen session ends when the password is changed', async () => {
  const page = await stage.show('viewer', '/account')
  const window = page.context()
  const stolen = await window.cookies()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('another password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('All other sessions have ended').first().waitFor()
  const renewed = await window.cookies()
  await window.addCookies(stolen)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await window.addCookies(renewed)
  await load(page, `${stage.server.url}/app/production/users`)
  expect(await page.getByRole('heading', { name: 'Users' }).count()).toBe(1)
})
