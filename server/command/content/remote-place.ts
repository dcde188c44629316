import type { ContentDocument } from '../../../contract/content/document.ts'
import type { KeptDraft } from '../../content/push.ts'
import { StartupError } from '../../startup-error.ts'
import { ProgressLine } from '../progress-line.ts'
import type { Place, StoredContent } from './stored.ts'

interface Version {
  revision: string
  document: ContentDocument
}

interface ContentPage {
  data: { key: string; draft_version: Version; published_version: Version | null }[]
  has_more: boolean
  next_page_url: string
}

/** The content of a server, through its API. */
export function remotePlace(url: string, key: string): Place {
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  return {
    read: async () => {
      const stored: StoredContent[] = []
      const progress = new ProgressLine()
      let path = '/content?limit=100&order_by=name&expand=draft_version.document,published_version.document'
      for (;;) {
        const page = await call<ContentPage>(base, key, 'GET', path)
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
      return (await call<{ kept?: KeptDraft[] }>(base, key, 'POST', '/content/push', body)).kept ?? []
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

const TIMEOUT_MS = 60_000

async function call<Answer>(base: string, key: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new StartupError(
      `${base} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}.`,
    )
  })
  const text = await response.text()
  if (!response.ok) throw new StartupError(`${base} answers ${response.status}: ${messageOf(text)}`)
  try {
    return JSON.parse(text) as Answer
  } catch {
    throw new StartupError(
      `${base} answers with something that is not JSON: write the address of an Usher server, without /app or /docs.`,
    )
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 200)
  }
}
