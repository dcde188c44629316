import type { ReactNode } from 'react'
import { Icon } from '../parts/icon.tsx'
import type { Catalogue } from './catalogue.ts'
import { subjectOf } from './chip.ts'
import type { Subject } from './chip-part.ts'
import { ChoiceList } from './choice-list.tsx'
import type { BuilderPlace } from './place.ts'
import { leafOfSubject, subjectChoices } from './subjects.ts'
import type { Row } from './tree.ts'

type Props = {
  row: Row
  catalogue: Catalogue
  place: BuilderPlace
  isReadOnly: boolean
  onChange: (row: Row) => void
}

/** What a row is about. A new row opens its list at once. */
export function SubjectButton({ row, catalogue, place, isReadOnly, onChange }: Props) {
  const subject = subjectOf(row.leaf, catalogue)
  const shown = subject ? <SubjectLabel subject={subject} /> : <span className="t3">Choose…</span>
  if (isReadOnly) return <span>{shown}</span>
  const choices = subjectChoices(catalogue, place).map((choice) => ({
    ...choice,
    glyph: <Glyph of={choice.subject} />,
  }))
  return (
    <ChoiceList
      label={subject ? `About ${[subject.scope, subject.name].filter(Boolean).join(' ')}` : 'What is it about?'}
      className="subject"
      choices={choices}
      chosen={undefined}
      isOpen={!subject}
      onChoose={(value) => onChange({ id: row.id, leaf: leafOfSubject(value, place) })}
    >
      {shown}
    </ChoiceList>
  )
}

function SubjectLabel({ subject }: { subject: Subject }): ReactNode {
  return (
    <>
      <Glyph of={subject} />
      {subject.scope && <span className="of">{subject.scope}</span>}
      <span className={subject.isTheirs ? 'mono' : ''} dir="auto">
        {subject.name}
      </span>
    </>
  )
}

function Glyph({ of: { glyph } }: { of: Pick<Subject, 'glyph'> }) {
  return (
    <span className="gly" aria-hidden="true">
      {'text' in glyph ? glyph.text : <Icon name={glyph.icon} />}
    </span>
  )
}
