import { bulkRow } from './bulk.ts'
import { clientRow } from './client.ts'
import { conditionRows } from './conditions.ts'
import { connectionsRow } from './connections.ts'
import { dashboardRows } from './dashboard.ts'
import { environmentRows } from './environments.ts'
import { guidanceRows } from './guidance.ts'
import { keyRow } from './keys.ts'
import { latencyRow } from './latency.ts'
import { loadRows } from './load-many.ts'
import { loneRow } from './lone.ts'
import { manyRows } from './many.ts'
import { memoryRows } from './memory.ts'
import { mixedRow } from './mixed.ts'
import { openLoopRows } from './open-loop.ts'
import { pageRows } from './pages.ts'
import { presenceRows } from './presence.ts'
import { probesRow } from './probes.ts'
import { requestRows } from './requests.ts'
import type { Row } from './row.ts'
import { startRow } from './start.ts'
import { storedRows } from './stored.ts'
import { streamRows } from './streams.ts'
import { webhookRows } from './webhooks.ts'
import { workersRow } from './workers.ts'

/** Every row, in the order of the table. The last rows use the results of those before. */
export const rows: Row[] = [
  ...requestRows,
  mixedRow,
  ...guidanceRows,
  ...presenceRows,
  probesRow,
  ...conditionRows,
  ...streamRows,
  ...webhookRows,
  ...pageRows,
  ...storedRows,
  ...manyRows,
  bulkRow,
  keyRow,
  ...loadRows,
  loneRow,
  connectionsRow,
  clientRow,
  ...environmentRows,
  ...openLoopRows,
  ...dashboardRows,
  startRow,
  workersRow,
  latencyRow,
  ...memoryRows,
]
