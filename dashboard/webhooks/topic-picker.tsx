import { useInfiniteQuery } from '@tanstack/react-query'
import { eventDefinitionsQuery } from '../definitions/queries.ts'
import { useEnvironment } from '../session/use-session.ts'
import { covers, type TopicNode, toggle, topicTree } from './topics.ts'

type Props = { chosen: string[]; onChange: (topics: string[]) => void }

/** Topics are chosen, not typed. */
export function TopicPicker({ chosen, onChange }: Props) {
  const { slug } = useEnvironment()
  const { data } = useInfiniteQuery(eventDefinitionsQuery(slug))
  const names = data?.pages.flatMap((page) => page.data.map(({ name }) => name)) ?? []
  const known = chosen
    .filter((topic) => topic.startsWith('event.tracked.'))
    .map((topic) => topic.slice('event.tracked.'.length))
  return (
    <ul className="topics">
      <Branch node={topicTree([...new Set([...known, ...names])])} chosen={chosen} onChange={onChange} />
    </ul>
  )
}

function Branch({ node, chosen, onChange }: Props & { node: TopicNode }) {
  const above = covers(
    chosen.filter((topic) => topic !== node.topic),
    node.topic,
  )
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={above || chosen.includes(node.topic)}
          disabled={above}
          onChange={() => onChange(toggle(chosen, node.topic))}
        />
        <span className={node.topic === '*' ? '' : 'mono'} dir="auto">
          {node.label}
        </span>
        {node.about && <span className="t3">{node.about}</span>}
      </label>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.topic} node={child} chosen={chosen} onChange={onChange} />
          ))}
        </ul>
      )}
    </li>
  )
}
