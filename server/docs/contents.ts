/** A page that is written in Markdown, or one section of such a file. */
export interface Page {
  /** Its address below /docs. */
  slug: string
  title: string
  /** Below the root of the project. Pages without one are made from the contract. */
  file?: string
  section?: string
}

export interface Chapter {
  title: string
  pages: readonly Page[]
}

const concept = (name: string, title: string): Page => ({
  slug: `concepts/${name}`,
  title,
  file: `docs/concepts/${name}.md`,
})
const guide = (name: string, title: string, file = `docs/guides/${name}.md`): Page => ({
  slug: `guides/${name}`,
  title,
  file,
})

/** The chapters of the site, except the reference, whose pages are made from the OpenAPI document. */
export const START: Chapter = {
  title: 'Start',
  pages: [{ slug: '', title: 'Quick start', file: 'docs/quick-start.md' }],
}
export const CONCEPTS: Chapter = {
  title: 'Concepts',
  pages: [
    concept('users', 'Users'),
    concept('groups', 'Groups'),
    concept('events', 'Events'),
    concept('attributes', 'Attributes and operations'),
    concept('definitions', 'Definitions'),
    concept('content', 'Content'),
    concept('conditions', 'Conditions'),
    concept('decisions', 'Decisions and receipts'),
    concept('identity', 'Identity'),
    concept('environments', 'Environments'),
    concept('plans', 'Plans'),
  ],
}
export const GUIDES: Chapter = {
  title: 'Guides',
  pages: [
    guide('first-flow', 'Your first flow'),
    guide('dashboard', 'The dashboard'),
    guide('checklist', 'Build a checklist'),
    guide('nps', 'Ask for a score'),
    guide('flows-as-code', 'Flows as code'),
    guide('pick-and-preview', 'Pick and preview'),
    guide('verify-identity', 'Verify identities'),
    guide('headless', 'Show content with your own code'),
    guide('identify-users', 'Identify users'),
    guide('track-events', 'Track events'),
    guide('webhooks', 'Receive webhooks', 'docs/webhooks.md'),
    guide('retry-safely', 'Retry safely', 'docs/retrying.md'),
    guide('import-history', 'Import your history'),
    guide('production', 'Run it in production', 'docs/operations.md'),
    guide('upgrade', 'Upgrade', 'docs/upgrading.md'),
    guide('scale', 'Scale'),
    guide('delete-and-export', 'Delete and export a person'),
  ],
}
export const LOOK_UP: Chapter = {
  title: 'Look up',
  pages: [
    { slug: 'errors', title: 'Errors' },
    { slug: 'limits', title: 'Limits' },
    { slug: 'troubleshooting', title: 'Why is it not shown?', file: 'docs/troubleshooting.md' },
    { slug: 'document', title: 'The document of content', file: 'docs/document.md' },
    { slug: 'protocol', title: 'The protocol of pages', file: 'docs/protocol.md' },
    { slug: 'script', title: 'The browser script', file: 'sdk/README.md' },
    { slug: 'client', title: 'The TypeScript client', file: 'client/README.md' },
    { slug: 'command-line', title: 'The command line', file: 'docs/command-line.md' },
    { slug: 'import-and-export', title: 'Import and export files', file: 'docs/importing.md' },
    { slug: 'settings', title: 'Settings', file: 'README.md', section: 'Settings' },
    {
      slug: 'metrics',
      title: 'Metrics',
      file: 'docs/operations.md',
      section: 'What the metrics mean, and when to wake someone',
    },
    { slug: 'embedded-postgresql', title: 'The embedded PostgreSQL', file: 'docs/embedded-postgresql.md' },
    { slug: 'scaling', title: 'Scaling, measured', file: 'docs/scaling.md' },
    { slug: 'benchmarks', title: 'Benchmarks', file: 'docs/benchmarks.md' },
    { slug: 'coming-from', title: 'Coming from another service', file: 'docs/coming-from.md' },
    { slug: 'security', title: 'Security', file: 'SECURITY.md' },
    { slug: 'specification', title: 'What the contract leaves open', file: 'docs/specification.md' },
    { slug: 'decisions', title: 'Decisions', file: 'docs/decisions/README.md' },
    { slug: 'measurements', title: 'Measurements', file: 'docs/measurements/README.md' },
  ],
}

/** Folders of `docs/` with many pages: the menu has their index only. */
export const FOLDERS = ['decisions', 'measurements'] as const

export function isInFolder(slug: string): boolean {
  return FOLDERS.some((folder) => slug.startsWith(`${folder}/`))
}

export function addressOf(slug: string): string {
  return slug === '' ? '/docs' : `/docs/${slug}`
}
