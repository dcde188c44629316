import { useState } from 'react'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { Json } from '../parts/json.tsx'
import { Section } from '../parts/panel.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { AddAttribute } from './add-attribute.tsx'
import { AttributeRow } from './attribute-row.tsx'
import { changeAttributes } from './changes.ts'
import type { Collection, Profile } from './queries.ts'
import { WORDS } from './words.ts'

const nounOf = (kind: Collection) => `this ${WORDS[kind].one}`

type Props = { kind: Collection; profile: Profile; json: boolean; onJson: (json: boolean) => void }

export function AttributesSection({ kind, profile, json, onJson }: Props) {
  const { slug } = useEnvironment()
  const [adding, setAdding] = useState(false)
  const reason = useReason(kind === 'users' ? 'updateUser' : 'updateGroup')
  const target = { kind, environment: slug, id: profile.id }
  const text = JSON.stringify(Object.fromEntries(profile.attributes.map(({ name, value }) => [name, value])), null, 2)
  return (
    <Section
      title="Attributes"
      count={profile.attributes.length}
      end={
        <>
          <Button small kind="quiet" aria-pressed={json} onClick={() => onJson(!json)}>
            JSON
          </Button>
          <Button small icon="plus" reason={reason} onClick={() => setAdding(true)}>
            Add
          </Button>
        </>
      }
    >
      {adding && <AddAttribute target={target} onClose={() => setAdding(false)} />}
      {json ? (
        <CodeBox title="Attributes" copy={{ value: text, label: 'Copy the attributes' }}>
          <Json text={text} />
        </CodeBox>
      ) : (
        <ul className="kv">
          {profile.attributes.map((row, index) => (
            <AttributeRow
              key={row.name}
              row={row}
              first={index === 0}
              reason={reason}
              onSave={(name, value) => changeAttributes(target, { [name]: value })}
            />
          ))}
        </ul>
      )}
      {profile.attributes.length > 0 && !json && (
        <p className="note mt-8">
          The times say since when {nounOf(kind)} has the attribute at the earliest. When a value changed last is not
          stored.
        </p>
      )}
      {profile.attributes.length === 0 && !adding && (
        <Empty title="No attributes">Send some with POST /{kind}, or add one here.</Empty>
      )}
    </Section>
  )
}
