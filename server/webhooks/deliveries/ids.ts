import { GREATEST_ID, LEAST_ID, leastIdAt } from '../../ids.ts'

/** Ids of notifications are ordered by time: a UUID v7 begins with its time. */

/** The id right after this one, and right before it. */
export const idAfter = (id: string) => moved(id, 1n)
export const idBefore = (id: string) => moved(id, -1n)

/** The first and the last id of a time range: from `since`, up to and without `until`. */
export function idsBetween(since: Date | undefined, until: Date | undefined): { fromId: string; toId: string } {
  return {
    fromId: since ? leastIdAt(since.getTime()) : LEAST_ID,
    toId: until ? idBefore(leastIdAt(Math.max(1, until.getTime()))) : GREATEST_ID,
  }
}

function moved(id: string, by: bigint): string {
  const value = BigInt.asUintN(128, BigInt(`0x${id.replaceAll('-', '')}`) + by)
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
