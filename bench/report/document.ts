import { writeFile } from 'node:fs/promises'
import type { Result } from '../rows/row.ts'
import { type Machine, machineLines } from './machine.ts'
import { writeScaling } from './scaling.ts'
import { markdownTable } from './table.ts'

const FILE = new URL('../../docs/benchmarks.md', import.meta.url)

/** Writes docs/benchmarks.md: the table, where it comes from, and how to repeat it. docs/scaling.md gets its figures. */
export async function writeDocument(results: readonly Result[], machine: Machine, at: Date): Promise<void> {
  const text = documentText(results, machine, at)
  await writeFile(FILE, text)
  await writeScaling(text)
}

function documentText(results: readonly Result[], machine: Machine, at: Date): string {
  return `# Benchmarks

Written by \`npm run bench -- --write\` on ${at.toISOString().slice(0, 10)}. Do not edit: run it again.

## The machine

${machineLines(machine).join('\n')}

Server, PostgreSQL, load generator and yardstick all ran on it at the same time. The ratios to a bare server depend on the
processor: [the same on a Xeon](measurements/benchmark-x86.md).

## The table

${markdownTable(results)}

## How to read it

- Each row is held against a yardstick that was measured in the same run. The two took turns, and the result is the
  median of the turns' ratios. Seconds depend on the machine and on what else it does; ratios do so much less, and CPU
  time per request least of all.
- The yardstick of a request is a bare Fastify server on the same Node that parses the same body and answers an object
  of the same size; that of a list answers the same list from an object in memory. Where a row names another, that is it.
- The server runs as \`npm start\` runs it, with everything on: authentication, validation, definitions, limits, metrics,
  and logging at the default level. PostgreSQL has \`fsync\` and \`synchronous_commit\` on.
- 64 connections with one request under way on each, unless the row says otherwise.
- The load comes from wrk where it is installed, else from a client of our own that takes less of the CPU than
  autocannon does (\`--generator\` chooses). What wrk says of the slowest requests is not used: it adds requests that
  were never made, for the time in which a slow one kept others from being sent. Latencies are measured by the client
  of our own, from 0.1 s on: at first all connections ask at the same moment.
- A list that several ask for at the same time is read once for all of them. The rows whose clients ask for different
  pages show what a list costs that nobody else asks for.
- *server µs* and *PostgreSQL µs* are CPU time per request, of all processes of each. *per transaction* is the number of
  requests that one transaction served. *peak MB* is the most memory that the server had in that row.
- Each row has a new database and new processes, with 10,000 users, 1,000 groups and three memberships per user.
- Writes of one environment are stored in the order in which they came: a batch begins when the statements of the one before
  are through. Two batches, each with half of the clients, take turns: one is in PostgreSQL while the requests of the other
  are parsed and answered. They still wait for each other at times, so the ratio is less than the CPU figures allow.

## How to repeat it

\`\`\`
npm ci
npm run bench                           twenty minutes
npm run bench -- --full                 with ten million users and twenty million events too: an hour, and 30 GB of disk
npm run bench -- --full --users 100000  the same with a smaller large database: half an hour
npm run bench -- --only post-events     one row
npm run bench -- --only post-events --profile /tmp/profile    with a CPU profile of the server
npm run bench -- --help
\`\`\`

With \`DATABASE_URL\` the databases are made on that PostgreSQL, and dropped at the end. Nothing else should run on the
machine meanwhile.
`
}
