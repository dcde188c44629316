import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import type { DraftStore } from './draft-store.ts'
import type { ContentDetail } from './queries.ts'

const document = starters[0]?.document as ContentDocument
const named = (name: string) => (before: ContentDocument) => ({ ...before, name })

interface Sent {
  name: string
  answer(status: number, body: object): void
}

let sent: Sent[]

beforeEach(() => {
  sent = []
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('localStorage', { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} })
  vi.stubGlobal('fetch', (_: string, { method, body }: { method: string; body?: string }) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const answer = (status: number, answered: object) => resolve(Response.json(answered, { status }))
    sent.push({ name: body === undefined ? method : JSON.parse(body).document.name, answer })
    return promise
  })
  onTestFinished(() => void vi.unstubAllGlobals())
})

let heard: string[]

async function openStore(): Promise<DraftStore> {
  const { DraftStore: Store } = await import('./draft-store.ts')
  const draft = { document, revision: '1.1', number: 1, problems: [] }
  heard = []
  return new Store('production', { id: 'c_1', draft, state: 'draft' } as unknown as ContentDetail, (saved) =>
    heard.push(saved.draft.revision),
  )
}

const saved = (revision: string) => ({ draft: { revision, number: 1, problems: [] }, state: 'draft' })
/** The content as it is read, with this draft. */
const read = (revision: string, of: ContentDocument) => ({
  state: 'draft',
  draft: { ...saved(revision).draft, document: of, edited_by: 'Somebody', edited_at: '2026-01-01T00:00:00.000Z' },
})
const refusal = (code: string) => ({ error: { code, message: 'Refused.' } })

it.each([429, 503])('sends a draft again that was answered with %i', async (status) => {
  const store = await openStore()
  store.edit('name', named('One'))
  await vi.advanceTimersByTimeAsync(600)
  sent[0]?.answer(status, refusal('too_many_requests'))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.read().saving).toBe('offline')
  await vi.advanceTimersByTimeAsync(3_000)
  sent[1]?.answer(200, saved('1.2'))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.read().saving).toBe('saved')
})

it('keeps the draft of content that was deleted, and saves it as new content when that is asked for', async () => {
  const store = await openStore()
  store.edit('name', named('Kept'))
  await vi.advanceTimersByTimeAsync(600)
  sent[0]?.answer(404, refusal('not_found'))
  await vi.advanceTimersByTimeAsync(0)
  store.edit('name', named('Kept too'))
  await vi.advanceTimersByTimeAsync(4_000)
  expect([store.read().saving, sent.length]).toEqual(['deleted', 1])
  const made = store.saveAsNew()
  sent[1]?.answer(200, { id: 'c_2' })
  expect([await made, sent[1]?.name, store.read().saving]).toEqual(['c_2', 'Kept too', 'saved'])
})

it('sends what was changed while an earlier state was refused', async () => {
  const store = await openStore()
  store.edit('name', named('Refused'))
  await vi.advanceTimersByTimeAsync(600)
  store.edit('name', named('Right'))
  await vi.advanceTimersByTimeAsync(1_000)
  sent[0]?.answer(400, refusal('invalid_params'))
  await vi.advanceTimersByTimeAsync(600)
  expect(sent.map(({ name }) => name)).toEqual(['Refused', 'Right'])
  sent[1]?.answer(200, saved('1.2'))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.read().saving).toBe('saved')
})

it('undoes nothing over what somebody else has saved since', async () => {
  const store = await openStore()
  store.edit('rename', named('Mine'))
  await vi.advanceTimersByTimeAsync(600)
  sent[0]?.answer(200, saved('1.2'))
  await vi.advanceTimersByTimeAsync(0)
  const theirs = { ...document, name: 'Mine', description: 'Theirs' }
  store.adopt({ state: 'draft', draft: { ...saved('1.3').draft, document: theirs } } as unknown as ContentDetail)
  store.undo()
  expect(store.read().document).toEqual(theirs)
  await vi.advanceTimersByTimeAsync(600)
  expect(sent.length).toBe(1)
})

it('counts the rows that are not finished in all builders, until each has none', async () => {
  const store = await openStore()
  store.noteUnfinished('who', 2)
  store.noteUnfinished('where', 1)
  store.noteUnfinished('who', 0)
  expect(store.read().unfinishedRows).toBe(1)
  store.adopt({ state: 'draft', draft: { ...saved('1.2').draft, document } } as unknown as ContentDetail)
  expect(store.read().unfinishedRows).toBe(1)
})

it('tells what was saved, also after its page was left, so that the page opens with it again', async () => {
  const store = await openStore()
  store.edit('name', named('One'))
  await vi.advanceTimersByTimeAsync(600)
  sent[0]?.answer(200, saved('1.2'))
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toEqual(['1.2'])
  store.edit('name', named('Two'))
  store.close()
  sent[1]?.answer(200, saved('1.3'))
  await vi.advanceTimersByTimeAsync(0)
  expect([sent[1]?.name, heard]).toEqual(['Two', ['1.2', '1.3']])
})

it('goes on after a save whose answer was lost, also when the draft was changed since', async () => {
  const store = await openStore()
  store.edit('name', named('One'))
  await vi.advanceTimersByTimeAsync(600)
  sent[0]?.answer(503, refusal('unavailable'))
  await vi.advanceTimersByTimeAsync(0)
  store.edit('name', named('Two'))
  await vi.advanceTimersByTimeAsync(600)
  sent[1]?.answer(409, refusal('draft_changed'))
  await vi.advanceTimersByTimeAsync(0)
  sent[2]?.answer(200, read('1.2', { ...document, name: 'One' }))
  await vi.advanceTimersByTimeAsync(600)
  expect(store.read().conflict).toBeUndefined()
  sent[3]?.answer(200, saved('1.3'))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.map(({ name }) => name)).toEqual(['One', 'Two', 'GET', 'Two'])
  expect(store.read()).toMatchObject({ saving: 'saved', revision: '1.3', document: { name: 'Two' } })
})

it('has with the draft of somebody else also what is wrong with it', async () => {
  const store = await openStore()
  store.edit('name', named('One'))
  await vi.advanceTimersByTimeAsync(600)
  const problems = [{ param: 'steps[0]', message: 'is mine' }]
  sent[0]?.answer(200, { state: 'draft', draft: { ...saved('1.2').draft, problems } })
  await vi.advanceTimersByTimeAsync(0)
  store.edit('name', named('Two'))
  await vi.advanceTimersByTimeAsync(600)
  sent[1]?.answer(409, refusal('draft_changed'))
  await vi.advanceTimersByTimeAsync(0)
  sent[2]?.answer(200, read('2.1', { ...document, name: 'Theirs' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.read()).toMatchObject({ saving: 'conflict', problems })
  store.takeTheirs()
  expect(store.read()).toMatchObject({ saving: 'saved', document: { name: 'Theirs' }, revision: '2.1', problems: [] })
})

it('a page that is loaded anew while a save is under way goes on after it', async () => {
  const places = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    ...{ length: 0, key: () => null },
    getItem: (name: string) => places.get(name) ?? null,
    setItem: (name: string, text: string) => places.set(name, text),
    removeItem: (name: string) => places.delete(name),
  })
  const before = await openStore()
  before.edit('name', named('One'))
  await vi.advanceTimersByTimeAsync(600)
  before.edit('name', named('Two'))
  const store = await openStore()
  await vi.advanceTimersByTimeAsync(0)
  sent[1]?.answer(409, refusal('draft_changed'))
  await vi.advanceTimersByTimeAsync(0)
  sent[2]?.answer(200, read('1.2', { ...document, name: 'One' }))
  await vi.advanceTimersByTimeAsync(600)
  expect(store.read().conflict).toBeUndefined()
  expect(sent.map(({ name }) => name)).toEqual(['One', 'Two', 'GET', 'Two'])
})
