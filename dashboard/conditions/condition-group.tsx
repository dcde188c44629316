import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import type { BuilderParts } from './builder-parts.ts'
import { ChoiceList } from './choice-list.tsx'
import { ConditionRow } from './condition-row.tsx'
import { type Box, isBox, isRow, MOST_LEVELS, newBox, newRow, type Part, type Word } from './tree.ts'
import { appendPart, removePart, replacePart } from './tree-edits.ts'

const WORDS: { value: Word; label: string }[] = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
  { value: 'none', label: 'None of these' },
]

/** A word, and what hangs on it. */
export function ConditionGroup({ box, level, builder }: { box: Box; level: number; builder: BuilderParts }) {
  const { drag, edit, isReadOnly } = builder
  const label = WORDS.find(({ value }) => value === box.word)?.label ?? ''
  const add = (part: Part) => edit((tree) => appendPart(tree, box.id, part))
  return (
    <div className="cg">
      {isReadOnly ? (
        <span className="cj">{label}</span>
      ) : (
        <ChoiceList
          label={`Group: ${label}`}
          className="cj"
          choices={WORDS}
          chosen={box.word}
          onChoose={(word) => edit((tree) => replacePart(tree, box.id, { ...box, word: word as Word }))}
        >
          {label}
          <Icon name="updown" />
        </ChoiceList>
      )}
      {level > 1 && !isReadOnly && (
        <IconButton small icon="x" label="Remove the group" onClick={() => edit((tree) => removePart(tree, box.id))} />
      )}
      <ul>
        {box.parts.map((part) => (
          <li key={part.id} {...(isReadOnly ? {} : drag.partProps(part.id))}>
            {isBox(part) ? (
              <ConditionGroup box={part} level={level + 1} builder={builder} />
            ) : isRow(part) ? (
              <ConditionRow row={part} builder={builder} />
            ) : (
              <DeepPart part={part} builder={builder} />
            )}
          </li>
        ))}
        {!isReadOnly && (
          <li className={drag.isOver(`into ${box.id}`) ? 'addli over' : 'addli'} {...drag.goalProps({ into: box.id })}>
            <div className="cadd">
              <button type="button" className="chip add" onClick={() => add(newRow())}>
                <Icon name="plus" />
                Condition
              </button>
              {level < MOST_LEVELS && (
                <button type="button" className="chip add" onClick={() => add(newBox('any', [newRow()]))}>
                  <Icon name="plus" />
                  Group
                </button>
              )}
            </div>
          </li>
        )}
      </ul>
    </div>
  )
}

/** Deeper than the page shows: as JSON. */
function DeepPart({ part, builder }: { part: Part; builder: BuilderParts }) {
  return (
    <div className="cond">
      <code className="clip mono">{'json' in part ? JSON.stringify(part.json) : ''}</code>
      <span className="n" />
      {!builder.isReadOnly && (
        <button type="button" className="chip add" onClick={builder.onJson}>
          Edit as JSON
        </button>
      )}
    </div>
  )
}
