import { type KeyboardEvent, useRef } from 'react'
import type { Block } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { useContent } from '../content/use-draft.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { BlockFields } from './block-fields.tsx'
import { ItemActs } from './item-acts.tsx'
import { inserted, moved, removed, replaced } from './list-edits.ts'
import { newBlock } from './step-edits.ts'
import { blockKind } from './words.ts'

type Props = {
  blocks: readonly Block[]
  about: string
  /** The keys of all questions of the document. */
  taken: readonly string[]
  /** The script leaves questions out of a banner. */
  canAsk: boolean
  onChange: (name: string, blocks: Block[], field?: string) => void
}

const ADDABLE: [string, string, IconName][] = [
  ['heading', 'Heading', 'plus'],
  ['text', 'Text', 'plus'],
  ['image', 'Image', 'image'],
  ['video', 'Video', 'video'],
  ['question', 'Question', 'ask'],
  ['divider', 'Line', 'plus'],
]

/** What is shown, from top to bottom. Dragging or Alt+↑ ↓ move, ⌘D doubles, ⌫ outside of a field deletes. */
export function BlocksSection({ blocks, about, taken, canAsk, onChange }: Props) {
  const { reason } = useContent()
  const list = useRef<HTMLUListElement>(null)
  const dragged = useRef<number | undefined>(undefined)
  /** The focus goes with the block, so that the next key moves the same one. */
  const follow = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-block="${index}"] > .gly`)?.focus())
  /** Who adds a block goes on with its text. A line has none. */
  const fill = (index: number) =>
    requestAnimationFrame(() => {
      const block = list.current?.querySelector(`[data-block="${index}"]`)
      block?.querySelector<HTMLElement>(block.querySelector('input, textarea') ? 'input, textarea' : '.gly')?.focus()
    })
  const move = (from: number, to: number) => {
    if (from !== to && blocks[to]) onChange(`move a block of ${about}`, moved(blocks, from, to))
  }
  const moveUp = (index: number) => {
    move(index, index - 1)
    follow(index - 1)
  }
  function press(event: KeyboardEvent<HTMLElement>, index: number) {
    const inField = (event.target as HTMLElement).closest('input, textarea')
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (reason) return
    if (event.altKey && step !== 0) {
      event.preventDefault()
      move(index, index + step)
      if (blocks[index + step]) follow(index + step)
    } else if (
      (event.metaKey || event.ctrlKey) &&
      event.key.toLowerCase() === 'd' &&
      blocks.length < limits.blocksPerStep
    ) {
      event.preventDefault()
      onChange(`duplicate a block of ${about}`, inserted(blocks, index + 1, copyOf(blocks[index] as Block, taken)))
      follow(index + 1)
    } else if (!inField && (event.key === 'Backspace' || event.key === 'Delete')) {
      event.preventDefault()
      onChange(`delete a block of ${about}`, removed(blocks, index))
      follow(Math.min(index, blocks.length - 2))
    }
  }
  return (
    <section>
      <div className="sec">
        <h2 className="h2">Blocks</h2>
      </div>
      <ul className="blocks" ref={list}>
        {blocks.map((block, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key
            key={index}
            className="blk"
            data-block={index}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged.current !== undefined && move(dragged.current, index)}
          >
            <span
              className="gly"
              tabIndex={reason ? -1 : 0}
              role="note"
              draggable={!reason}
              onDragStart={() => {
                dragged.current = index
              }}
              onDragEnd={() => {
                dragged.current = undefined
              }}
              onKeyDown={(event) => press(event, index)}
            >
              {blockKind(block).slice(0, 1)}
              <span className="sr">
                {blockKind(block)}, block {index + 1} of {blocks.length}
              </span>
            </span>
            <BlockFields
              block={block}
              number={index + 1}
              onChange={(next, field) =>
                onChange(`change a text of ${about}`, replaced(blocks, index, next), `block.${index}.${field}`)
              }
            />
            {!reason && (
              <span className="btns">
                <ItemActs
                  earlier={`Move block ${index + 1} up`}
                  remove={`Delete block ${index + 1}`}
                  onEarlier={index > 0 ? () => moveUp(index) : undefined}
                  onRemove={() => {
                    onChange(`delete a block of ${about}`, removed(blocks, index))
                    follow(Math.min(index, blocks.length - 2))
                  }}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {!reason && blocks.length < limits.blocksPerStep && (
        <div className="adds">
          {ADDABLE.filter(([kind]) => canAsk || kind !== 'question').map(([kind, label, icon]) => (
            <button
              key={kind}
              type="button"
              className="chip add"
              onClick={() => {
                onChange(`add a ${kind} to ${about}`, [...blocks, newBlock(kind, taken)])
                fill(blocks.length)
              }}
            >
              <Icon name={icon} />
              {label}
            </button>
          ))}
        </div>
      )}
    </section>
  )
}

const copyOf = (block: Block, taken: readonly string[]): Block =>
  'question' in block ? { ...block, question: (newBlock('question', taken) as typeof block).question } : block
