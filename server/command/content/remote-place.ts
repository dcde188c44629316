import { type ContentDocument, contentTypes } from '../../../contract/content/document.ts'
import { KEY_PATTERN } from '../../../contract/names.ts'
import type { KeptDraft } from '../../content/push.ts'
import { StartupError } from '../../startup-error.ts'
import { Interrupted, interruption } from '../interruption.ts'
import { ProgressLine } from '../progress-line.ts'
import type { Place, StoredContent } from './stored.ts'

interface Version {
  revision: string
  document: ContentDocument
}

/** A server of before has not all of it. */
interface PushAnswer {
  kept?: KeptDraft[]
  warnings?: { param: string; message: string }[]
}

interface ContentPage {
  data: { key: string; draft_version: Version; published_version: Version | null }[]
  has_more: boolean
  next_page_url: string
}

const NOT_KNOWN = 'Interrupted: it is not known whether the drafts are stored. Run it again: it stores nothing twice.'

/** The content of a server, through its API. */
export function remotePlace(url: string, key: string): Place {
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  return {
    read: async () => {
      const stored: StoredContent[] = []
      const progress = new ProgressLine()
      let path = '/content?limit=100&order_by=name&expand=draft_version.document,published_version.document'
      for (;;) {
        const page = pageOf(base, await call(base, key, 'GET', path))
        stored.push(...page.data.map(storedOf))
        progress.show({ done: stored.length, unit: 'contents', part: undefined })
        if (!page.has_more) break
        const next = new URL(page.next_page_url)
        path = `/content${next.search}`
      }
      progress.end()
      return stored.sort((first, second) => (first.key < second.key ? -1 : 1))
    },
    push: async ({ items: documents, publish, isDryRun }) => {
      const body = { documents, publish, ...(isDryRun && { dry_run: true }) }
      const answer = call(base, key, 'POST', '/content/push', body).catch((error: unknown) => {
        if (interruption.signal.aborted && !isDryRun) throw new Interrupted(NOT_KNOWN)
        throw error
      })
      const { kept = [], warnings = [] } = (await answer) as PushAnswer
      return { kept, warnings: warnings.map(({ param, message }) => `${param}: ${message}`) }
    },
  }
}

function storedOf({ key, draft_version, published_version }: ContentPage['data'][number]): StoredContent {
  return {
    key,
    draft: draft_version.document,
    revision: draft_version.revision,
    published: published_version?.document ?? null,
  }
}

function pageOf(base: string, answer: unknown): ContentPage {
  const { data, has_more, next_page_url } = (answer ?? {}) as ContentPage
  if (!Array.isArray(data) || !data.every(isContent)) throw notUsher(base)
  if (has_more && !URL.canParse(next_page_url)) throw notUsher(base)
  return answer as ContentPage
}

const key = new RegExp(KEY_PATTERN)

/** A key becomes the name of a file: one such as `../x` must not lead out of the folder. */
function isContent(given: ContentPage['data'][number] | null): boolean {
  const document = given?.draft_version?.document
  return (
    key.test(String(document?.key)) && document?.key === given?.key && contentTypes.includes(document?.type as never)
  )
}

const TIMEOUT_MS = 60_000

async function call(base: string, key: string, method: string, path: string, body?: object): Promise<unknown> {
  const { response, text } = await exchange(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  }).catch((error: Error) => {
    if (interruption.signal.aborted) throw error
    throw new StartupError(`${base} cannot be reached: ${reasonOf(error)}.`)
  })
  const location = response.headers.get('location')
  if (response.status < 400 && location !== null)
    throw new StartupError(`${base} redirects to ${location}: write the address of the server itself.`)
  if (!response.ok) throw new StartupError(`${base} answers ${response.status}: ${messageOf(text)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw notUsher(base)
  }
}

/** A redirect is not followed: it would lose the key on the way to another address, and the body of a POST. */
async function exchange(url: string, request: RequestInit): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(url, { ...request, redirect: 'manual', signal })
  return { response, text: await response.text() }
}

function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  if (cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak HTTPS'
  return cause?.message ?? error.message
}

const notUsher = (base: string) =>
  new StartupError(
    `${base} answers with something that is not of Usher: write the address of an Usher server, without /app or /docs.`,
  )

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 200)
  }
}
