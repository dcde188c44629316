import { type DragEvent, useState } from 'react'
import type { Box } from './tree.ts'
import { dropPart, type Goal } from './tree-edits.ts'

/** Rows and groups are dragged between groups. The keys Alt+↑ ↓ do the same. */
export interface Drag {
  /** Of a row or a group in its list: it can be dragged, and others dropped before it. */
  partProps(id: number): object
  goalProps(goal: Goal): object
  isOver(goal: string): boolean
}

/** So that neither another builder nor another page takes it. */
const TYPE = 'application/x-usher-condition'

const nameOf = (goal: Goal) => ('before' in goal ? `before ${goal.before}` : `into ${goal.into}`)

export function useDrag(edit: (change: (tree: Box) => Box) => void): Drag {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<string>()
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const goalProps = (goal: Goal) => ({
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setOver(nameOf(goal))
    },
    onDrop: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      event.stopPropagation()
      edit((tree) => dropPart(tree, dragged, goal))
      end()
    },
  })
  return {
    goalProps,
    isOver: (name) => over === name,
    partProps: (id) => ({
      ...goalProps({ before: id }),
      draggable: true,
      'data-over': over === `before ${id}` || undefined,
      onDragStart: (event: DragEvent) => {
        // A row in a group is dragged alone.
        event.stopPropagation()
        event.dataTransfer.setData(TYPE, String(id))
        event.dataTransfer.effectAllowed = 'move'
        setDragged(id)
      },
      onDragEnd: end,
    }),
  }
}
