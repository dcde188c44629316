import { Section } from '../parts/panel.tsx'
import type { Endpoint } from './queries.ts'
import { ReplayTool } from './replay-tool.tsx'
import { TestTool } from './test-tool.tsx'

/** Beside the deliveries: topics, secret, a test, and replays. */
export function EndpointTools({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div>
      <Section title="Topics" count={endpoint.topics.length}>
        <p className="tags wrap">
          {endpoint.topics.map((topic) => (
            <span key={topic} className="tag" dir="auto">
              {topic}
            </span>
          ))}
        </p>
      </Section>
      <Section title="Signing secret">
        <p className="t2">It was shown when the endpoint was added. Lost? Rotate it under “More actions”.</p>
      </Section>
      <TestTool endpoint={endpoint} />
      <ReplayTool endpoint={endpoint} />
    </div>
  )
}
