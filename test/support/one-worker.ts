import type { OpenTransaction } from '../../server/database/database.ts'

/** Which forms of statements Citus cannot send on to one worker, and what it does instead. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'copies the rows of an insert through the coordinator':
    /^\s*insert into[^;]*\bselect\b[^;]*\b(offset|limit|clock_timestamp)\b/,
  'refuses what depends on the time zone after ON CONFLICT': /\bon conflict\b[^;]*[-+] interval\b/,
  'asks all workers': /\benvironment_id = (?!\$1::int|anchor\.environment_id)/,
}

/** The statements that a sharded PostgreSQL would get for one environment, each with what speaks against it. None is executed. */
export async function sentToCluster(
  run: (db: OpenTransaction) => Promise<unknown>,
): Promise<{ text: string; problems: string[] }[]> {
  const sent: string[] = []
  const query = async (text: string) => {
    sent.push(text)
    return Array.from({ length: 10 })
  }
  await run({ query, isDistributed: true } as unknown as OpenTransaction)
  const problemsOf = (text: string) => Object.keys(REFUSED).filter((problem) => REFUSED[problem]?.test(text))
  return sent.map((text) => ({ text, problems: problemsOf(text) }))
}
