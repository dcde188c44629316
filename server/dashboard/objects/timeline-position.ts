import { GREATEST_ID, isUuid, leastIdAt } from '../../ids.ts'

/** Where an item is in a timeline: its time, then its id. */
export interface TimelinePosition {
  ms: number
  id: string
}

/** The last time of JavaScript, after every time that an event can have. */
export const NEWEST: TimelinePosition = { ms: 8_640_000_000_000_000, id: GREATEST_ID }

export function isBefore(one: TimelinePosition, other: TimelinePosition): boolean {
  return one.ms === other.ms ? one.id < other.id : one.ms < other.ms
}

export function encodeTimelinePosition({ ms, id }: TimelinePosition): string {
  return `${ms}_${id}`
}

/** An invalid cursor gives the first page. */
export function readTimelinePosition(cursor: string | undefined): TimelinePosition {
  const [digits = '', id = ''] = cursor?.split('_') ?? []
  const isValid = /^-?\d{1,16}$/.test(digits) && isUuid(id) && Math.abs(Number(digits)) <= NEWEST.ms
  return isValid ? { ms: Number(digits), id } : NEWEST
}

/** The ids of notifications begin with their time, so those before a position are those before one id. */
export function notificationsBefore(position: TimelinePosition): string {
  const [least, next] = [leastIdAt(position.ms), leastIdAt(position.ms + 1)]
  if (least.length !== GREATEST_ID.length || next.length !== GREATEST_ID.length) return GREATEST_ID
  if (position.id < least) return least
  return position.id < next ? position.id : next
}
