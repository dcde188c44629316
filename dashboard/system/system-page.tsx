import { useQuery } from '@tanstack/react-query'
import { roughly } from '../format/duration.ts'
import { boundedWords, bytes, counted, percent } from '../format/number.ts'
import { Facts } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { Panel, Section } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { type SystemData, systemQuery } from './queries.ts'

export function SystemPage() {
  const query = useQuery(systemQuery)
  return (
    <>
      <Bar current="System" />
      <Page title="System" sub={<p>{query.data ? verdictOf(query.data) : 'The server, its database and its disk.'}</p>}>
        <Loaded query={query} what="The system" skeleton={<Bone width="100%" height={240} />}>
          {(system) => <SystemBody system={system} />}
        </Loaded>
      </Page>
    </>
  )
}

function SystemBody({ system }: { system: SystemData }) {
  const { database, disk, backlog } = system
  return (
    <>
      <Findings findings={system.findings} />
      <div className="grid g-1-1">
        <Panel title="Server">
          <div className="panel-body">
            <Facts>
              {[
                ['Version', system.version],
                ['Node.js', system.node_version],
                ['Platform', system.platform],
                ['Backlog', backlog ? backlogText(backlog) : 'shown by npx usher doctor'],
              ]}
            </Facts>
          </div>
        </Panel>
        <Panel title="Database">
          <div className="panel-body">
            <Facts>
              {[
                ['PostgreSQL', database.version],
                ['Runs', database.is_embedded ? 'embedded, in the data folder' : 'at DATABASE_URL'],
                ['Size', database.bytes === null ? '–' : bytes(database.bytes)],
                [
                  'Disk',
                  disk
                    ? `${bytes(disk.free_bytes)} free of ${bytes(disk.total_bytes)} (${percent(disk.free_bytes, disk.total_bytes)})`
                    : 'not known here',
                ],
              ]}
            </Facts>
          </div>
        </Panel>
      </div>
      <Nodes nodes={system.nodes} />
    </>
  )
}

const LOOKS = {
  good: { tone: 'ok', shape: 'full', word: 'Good' },
  warning: { tone: 'warn', shape: 'half', word: 'Warning' },
  bad: { tone: 'bad', shape: 'cross', word: 'Bad' },
} as const
const WORST_FIRST = ['bad', 'warning', 'good']

function Findings({ findings }: { findings: SystemData['findings'] }) {
  const sorted = [...findings].sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level))
  return (
    <Section title="Checks of usher doctor" count={findings.length}>
      <ul className="plain-rows findings">
        {sorted.map(({ level, check, what, advice }) => (
          <li key={check}>
            <State tone={LOOKS[level].tone} shape={LOOKS[level].shape}>
              {LOOKS[level].word}
            </State>
            <b className="check">{check}</b>
            <span className="what">
              {what}
              {advice && <span className="t2"> {advice}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Nodes({ nodes }: { nodes: SystemData['nodes'] }) {
  return (
    <Section title="Nodes" count={nodes.length}>
      <ul className="plain-rows">
        {nodes.map((node) => (
          <li key={node.name}>
            <span className="mono clip">{node.name}</span>
            {node.is_this && <span className="tag">this one</span>}
            <span className="t2">
              version {node.version}, started <Time at={node.started_at} />, seen{' '}
              <Time at={node.seen_at} as="activity" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function verdictOf({ findings, backlog }: SystemData): string {
  const bad = findings.filter(({ level }) => level === 'bad').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  if (bad > 0) return `${counted(bad, 'finding needs', 'findings need')} to be acted on.`
  if (warnings > 0) return `It works. ${counted(warnings, 'warning is', 'warnings are')} worth a look.`
  // Without the figures of the installation nothing can be said of it.
  return backlog
    ? 'Everything is in order.'
    : 'Webhooks are in order. The operator checks the rest with npx usher doctor.'
}

function backlogText({ waiting, is_more, oldest_at }: NonNullable<SystemData['backlog']>): string {
  if (waiting === 0) return 'no deliveries wait'
  const age = oldest_at ? `, the oldest for ${roughly(Date.now() - Date.parse(oldest_at))}` : ''
  return `${boundedWords({ count: waiting, is_more }, 'delivery waits', 'deliveries wait')}${age}`
}
