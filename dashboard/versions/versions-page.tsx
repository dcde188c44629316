import { useQuery } from '@tanstack/react-query'
import { versionsQuery } from '../content/queries.ts'
import { useContent } from '../content/use-draft.ts'
import { counted, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { VersionPanel } from './version-panel.tsx'

type Search = { number?: number | undefined; against?: number | undefined }

/** The versions of a content, what each changed, and its file. */
export function VersionsPage() {
  const { slug } = useEnvironment()
  const { detail } = useContent()
  const query = useQuery(versionsQuery(slug, detail.id))
  const [search, setSearch] = useAddress<Search>()
  return (
    <div className="page below-head">
      <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={4} columns={4} />}>
        {({ data }) => {
          const chosen = search.number ?? data[0]?.number ?? 1
          return (
            <div className="grid g-1-1">
              <ul className="versions" aria-label="Versions">
                {data.map((version) => (
                  <li key={version.number}>
                    <button
                      type="button"
                      className={version.number === chosen ? 'ver on' : 'ver'}
                      aria-pressed={version.number === chosen}
                      onClick={() => setSearch({ number: version.number })}
                    >
                      <b>Version {version.number}</b>
                      <VersionState state={version.state} />
                      <small className="t2">
                        {version.description || (version.state === 'draft' ? 'The draft' : 'Without a note')} ·{' '}
                        {version.edited_by ?? 'Somebody'}, <Time plain at={version.published_at ?? version.edited_at} />
                      </small>
                      {version.seen > 0 && (
                        <small className="t2">
                          Seen in {counted(version.seen, 'run')}
                          {version.seen >= LEAST_RUNS && `, ${percent(version.completed, version.seen)} completed`}
                        </small>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
              <VersionPanel
                number={chosen}
                against={search.against}
                numbers={data.map(({ number }) => number)}
                onAgainst={(against) => setSearch({ number: chosen, against })}
              />
            </div>
          )
        }}
      </Loaded>
      <AsCode />
    </div>
  )
}

/** The same content as a file: how to get it into a repository, and what a push would change. */
function AsCode() {
  const { slug: environment } = useEnvironment()
  const commands = ['pull', 'diff', 'push'].map(
    (name) => `npx usher content ${name} content/ --environment ${environment}`,
  )
  return (
    <section className="mt-28">
      <CodeBox title="As code" copy={{ value: commands.join('\n'), label: 'Copy the commands' }}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
        <pre tabIndex={0}>{commands.join('\n')}</pre>
      </CodeBox>
      <p className="t2 mt-12">
        <code>pull</code> writes each content as a file, <code>diff</code> says what differs from the drafts here in the
        words of the publish dialog, and <code>push</code> makes the files the drafts.
      </p>
    </section>
  )
}

const STATES = {
  draft: { tone: 'info', shape: 'half', word: 'Draft' },
  published: { tone: 'ok', shape: 'full', word: 'Published' },
  earlier: { tone: 'mute', shape: 'ring', word: 'Earlier' },
} as const

function VersionState({ state }: { state: keyof typeof STATES }) {
  const { tone, shape, word } = STATES[state]
  return (
    <State tone={tone} shape={shape}>
      {word}
    </State>
  )
}
