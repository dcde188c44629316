import { parseDateTime } from '../../../contract/datetime.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { isUuid } from '../../ids.ts'
import { StartupError } from '../../startup-error.ts'
import { findEnvironmentOfSubscription } from '../../webhooks/command-queries.ts'
import { UsageError } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'

/** Which deliveries. A subscription belongs to one environment, so its id implies the environment. */
export const environmentOptions = {
  environment: {
    type: 'string',
    value: 'NAME',
    description: 'the environment; not needed with the id of a subscription',
  },
  account: accountOption,
} as const

interface EnvironmentChoice {
  environment: string | undefined
  account: string | undefined
}

/** The environment that is named, or else the one of the subscription. */
export async function environmentOf(
  database: Database,
  subscriptionId: string,
  { environment, account }: EnvironmentChoice,
): Promise<EnvironmentId> {
  if (environment !== undefined) return (await findEnvironment(database, environment, account)).id
  const found = await findEnvironmentOfSubscription(database, subscriptionId)
  if (found === undefined) throw new StartupError(`There is no subscription ${subscriptionId}: see webhooks list.`)
  return found
}

export function checkId(text: string, what: string): string {
  if (!isUuid(text))
    throw new UsageError(`'${text}' is not the id of a ${what}: it looks like 019b7a1e-2f00-7cc3-98c4-dc0c0c07398f.`)
  return text.toLowerCase()
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `30m`, `2h` or `3d`. */
export function parseDuration(text: string, option: string): number {
  const ms = durationOf(text)
  if (ms === undefined) throw new UsageError(`--${option} ${text} is not a time: write 30m, 2h or 3d.`)
  return ms
}

function durationOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNITS[unit] as number)
}

/** `2026-01-31T09:00:00Z`, or how long ago: `30m`, `2h`, `3d`. */
export function parseTime(text: string, option: string): Date {
  const agoMs = durationOf(text)
  if (agoMs !== undefined) return new Date(Date.now() - agoMs)
  const instant = parseDateTime(text)
  if (!instant)
    throw new UsageError(`--${option} ${text} is not a time: write 2026-01-31T09:00:00Z, or how long ago, such as 2h.`)
  return new Date(instant.milliseconds)
}
