import type { Queryable } from '../database/database.ts'

/** While deliveries are paused they are stored as always, and no node sends them. */
export interface DeliveryPause {
  reason: string
  since: string
}

export async function findPause(db: Pick<Queryable, 'query'>): Promise<DeliveryPause | undefined> {
  const [row] = await db.query<DeliveryPause & Record<string, unknown>>('select reason, since from delivery_pause', [])
  return row
}

/** A pause that is there already keeps its reason. */
export async function pauseDeliveries(db: Pick<Queryable, 'query'>, reason: string): Promise<void> {
  await db.query('insert into delivery_pause (reason, since) values ($1::text, now()) on conflict do nothing', [reason])
}

/** Whether there was a pause. Nodes notice the end within some seconds. */
export async function resumeDeliveries(db: Pick<Queryable, 'query'>): Promise<boolean> {
  return (await db.query('delete from delivery_pause returning 1', [])).length > 0
}
