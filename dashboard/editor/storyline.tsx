import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import { branchesOf } from '../../contract/content/branches.ts'
import type { Advance, FlowDocument, Step } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { limits } from '../../contract/limits.ts'
import { useNames } from '../conditions/use-names.ts'
import { KindGlyph } from '../content/kinds.tsx'
import { useContent, useDraft } from '../content/use-draft.ts'
import { fact } from '../format/time.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { problemWords } from '../publication/places.ts'
import { useEnvironment } from '../session/use-session.ts'
import { bringIntoSight } from './in-sight.ts'
import { TitleField } from './title-field.tsx'
import { useLiveTarget } from './use-live-target.ts'
import { aboutOf, goalWords, jumpWords, stepWords, wayOn, wayWords } from './words.ts'

/** What can be done with the steps. */
export interface StoryActs {
  choose: (key: string | undefined) => void
  add: (type: Step['type']) => void
  duplicate: (index: number) => void
  remove: (index: number) => void
  move: (from: number, to: number) => void
  rename: (index: number, title: string) => void
}

type Props = { flow: FlowDocument; chosen: number; acts: StoryActs; isReadOnly: boolean }

const TYPES = ['tooltip', 'dialog', 'hidden'] as const

/** The steps in their order, and the ways between them: a list, since order is what people read. */
export function Storyline({ flow, chosen, acts, isReadOnly }: Props) {
  const dragged = useRef<number | undefined>(undefined)
  const names = useNames()
  const branches = useMemo(() => branchesOf(flow), [flow])
  const drawn = useMemo(() => new Set([...branches.starts.values()].flat()), [branches])
  const pane = useRef<HTMLElement>(null)
  const canAdd = !isReadOnly && flow.steps.length < limits.stepsPerFlow
  useEffect(() => bringIntoSight(pane.current, pane.current?.querySelectorAll('ol > li')[chosen]), [chosen])
  return (
    <nav ref={pane} className="story" aria-label="Steps">
      <div className="sec">
        <h2 className="h2">Steps</h2>
        <span className="c">{flow.steps.length}</span>
        {canAdd && (
          <span className="end">
            <Menu trigger={<IconButton icon="plus" label="Add a step" />}>
              {TYPES.map((type) => (
                <MenuItem key={type} icon={type} onSelect={() => acts.add(type)}>
                  {named(type)}
                </MenuItem>
              ))}
            </Menu>
          </span>
        )}
      </div>
      <ol>
        {flow.steps.map((step, index) => (
          <li
            key={step.key}
            className={DEPTHS[branches.depths[index] ?? 0]}
            draggable={!isReadOnly}
            onDragStart={() => {
              dragged.current = index
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged.current !== undefined) acts.move(dragged.current, index)
            }}
          >
            {branches.joins.has(index) && <p className="way">both go on</p>}
            {(branches.starts.get(index) ?? []).map((way, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: ways have no other key
              <p key={number} className="way when">
                <Icon name="right" />
                {wayWords(way, names)}
              </p>
            ))}
            <StepRow step={step} index={index} isChosen={index === chosen} acts={acts} isReadOnly={isReadOnly} />
            <Ways flow={flow} step={step} isLast={index === flow.steps.length - 1} drawn={drawn} />
          </li>
        ))}
      </ol>
      <p className="fin">
        <span>
          <Icon name="flag" />
        </span>
        Completed
      </p>
      {canAdd && (
        <div className="addrow">
          {TYPES.map((type) => (
            <button key={type} type="button" className="chip add" onClick={() => acts.add(type)}>
              <Icon name="plus" />
              {named(type)}
            </button>
          ))}
        </div>
      )}
    </nav>
  )
}

const DEPTHS = ['', 'branch', 'branch deep']

const named = (type: string) => type.slice(0, 1).toUpperCase() + type.slice(1)

type RowProps = { step: Step; index: number; isChosen: boolean; acts: StoryActs; isReadOnly: boolean }

function StepRow({ step, index, isChosen, acts, isReadOnly }: RowProps) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { problems } = useDraft()
  const names = useNames()
  const problem = problems.find(({ param }) => param === `steps[${index}]` || param.startsWith(`steps[${index}].`))
  const target = useLiveTarget(step.key, step.type === 'tooltip' ? step.target.locators : [])
  const wrong =
    (problem && problemWords(problem.param, problem.message)) ??
    (target?.missing_since ? notFoundSince(target.missing_since) : undefined)
  const [isNaming, setNaming] = useState(false)
  function press(event: KeyboardEvent<HTMLElement>) {
    if (isReadOnly) return
    if (event.key === 'Enter' && isChosen) {
      event.preventDefault()
      setNaming(true)
      return
    }
    const act = keyAct(event, acts, index)
    if (!act) return
    event.preventDefault()
    const item = event.currentTarget
    act()
    requestAnimationFrame(() => item.focus())
  }
  if (isNaming)
    return (
      <TitleField
        step={step}
        number={index + 1}
        onDone={(title) => {
          setNaming(false)
          if (title !== undefined) acts.rename(index, title)
        }}
      />
    )
  return (
    <Link
      className={isChosen ? 'st on' : 'st'}
      to="/$environment/content/$contentId/steps"
      params={{ environment, contentId: detail.id }}
      search={(before) => ({ ...before, step: step.key }) as never}
      resetScroll={false}
      aria-current={isChosen ? 'step' : undefined}
      onKeyDown={press}
      draggable={false}
    >
      <KindGlyph icon={step.type} />
      <span className="min-w-0">
        <b className="clip">
          <span className="nr">{index + 1}</span> <span dir="auto">{stepTitle(step, names)}</span>
        </b>
        <small className={wrong ? 'clip bad-t' : 'clip'}>{wrong ?? aboutOf(step, names)}</small>
      </span>
      {wrong && <Icon name="alert" className="mk" />}
    </Link>
  )
}

const notFoundSince = (since: string) => `Not found since ${fact(new Date(since), new Date())}`

/** ↵ on the chosen one edits its title. Alt+↑ ↓ move, ⌘D doubles, ⌫ deletes. Deleting asks nothing, since undo brings it back. */
function keyAct(event: KeyboardEvent, acts: StoryActs, index: number): (() => void) | undefined {
  if (event.altKey && event.key === 'ArrowUp') return () => acts.move(index, index - 1)
  if (event.altKey && event.key === 'ArrowDown') return () => acts.move(index, index + 1)
  if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'd') return () => acts.duplicate(index)
  if (event.key === 'Backspace' || event.key === 'Delete') return () => acts.remove(index)
  return undefined
}

/** How a step leads on: the label of its button, or the ways of a hidden one in the order they are asked. */
type WaysProps = { flow: FlowDocument; step: Step; isLast: boolean; drawn: ReadonlySet<Advance> }

function Ways({ flow, step, isLast, drawn }: WaysProps) {
  const names = useNames()
  if (step.type !== 'hidden') {
    const label = wayOn(step, flow)
    const jumps = jumpWords(step, flow)
    return (
      <p className={isLast && !label ? 'way none' : 'way'}>
        {label}
        {jumps.map((words, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ways have no other key
          <span key={number} dir="auto">
            {words}
          </span>
        ))}
        {(step.advance ?? []).map((way, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ways have no other key
          <span key={number}>
            {wayWords(way, names)} → {goalWords(way, flow)}
          </span>
        ))}
      </p>
    )
  }
  const { after } = step.timeout
  const isDead = !flow.steps.some(({ key }) => key === step.timeout.to)
  return (
    <div className="fork">
      {step.advance
        .filter((way) => !drawn.has(way))
        .map((way, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ways have no other key
          <p key={number} className="if">
            <Icon name="right" />
            <span className="clip">
              {wayWords(way, names)} → {goalWords(way, flow)}
            </span>
          </p>
        ))}
      <p className={isDead ? 'if dead' : 'if'}>
        <Icon name={isDead ? 'x' : 'clock'} />
        after {isDuration(after) ? durationWords(after) : after} →{' '}
        {isDead ? 'no step, a dead end' : stepWords(flow, step.timeout.to)}
      </p>
    </div>
  )
}
