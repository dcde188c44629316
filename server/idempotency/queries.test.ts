import { expect, it } from 'vitest'
import { sentToCluster } from '../../test/support/one-worker.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { insertAnswers } from './queries.ts'

it('the insert of answers for a cluster is one for one worker', async () => {
  const answer = { key: 'k', fingerprint: '00', body: '{}', userId: 'u', groupId: '' }
  const sent = await sentToCluster((db) => insertAnswers(db, ofOne(1 as EnvironmentId, [answer])))
  expect(sent).toMatchObject([{ problems: [] }])
})
