import { Icon } from '../parts/icon.tsx'
import { readable } from './gates.ts'
import { foundWords, type Line, linesOf } from './lines.ts'
import type { Gate } from './queries.ts'

/** Line by line, in their groups. What stands in None of these is told in the negative: a tick is always good for showing. */
export function RuleLines({ leaves }: { leaves: Gate['leaves'] }) {
  const lines = linesOf(leaves)
  return (
    <ul className="vals">
      {lines.map((line, index) =>
        line.kind === 'line' ? (
          <FoundLine key={line.leaf.path} line={line} />
        ) : index === 0 ? (
          <li key={line.path} className="hd3">
            <span>{line.words}</span>
            <span>What is needed</span>
          </li>
        ) : (
          <GroupLine key={line.path} line={line} />
        ),
      )}
    </ul>
  )
}

/** What does not matter is not red. */
const classOf = ({ depth, isMoot }: Line, met: boolean | null) =>
  `${depth > 1 ? 'nest' : ''} ${met === true || isMoot ? '' : 'no'}`
const iconOf = (met: boolean | null) => (met === true ? 'check' : met === null ? 'page' : 'x')
const spoken = (met: boolean | null) =>
  met === true ? 'Holds: ' : met === null ? 'Not known here: ' : 'Does not hold: '

function FoundLine({ line }: { line: Extract<Line, { kind: 'line' }> }) {
  const { met, needed, sentence } = line.leaf
  return (
    <li className={classOf(line, met)}>
      <Icon name={iconOf(met)} />
      <span dir="auto">
        <span className="sr">{spoken(met)}</span>
        {readable(foundWords({ sentence, needed }))}
      </span>
      <span className="is">{met === true ? '' : readable(needed)}</span>
    </li>
  )
}

function GroupLine({ line }: { line: Extract<Line, { kind: 'group' }> }) {
  const { words, met, holding } = line
  return (
    <li className={classOf(line, met)}>
      <Icon name={iconOf(met)} />
      <span>
        <span className="sr">{spoken(met)}</span>
        {words.toLowerCase()}
      </span>
      <span className="is">{holding}</span>
    </li>
  )
}
