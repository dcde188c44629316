import type pg from 'pg'
import { DEMO } from '../accounts/demo-name.ts'
import { count } from '../counted.ts'
import { isUnreachable } from '../database/errors.ts'
import { type Finding, ok, warning } from './finding.ts'

const MISSING_DAYS = 7

/** What decides whether pages of an environment see its content. */
export interface GuidedEnvironment {
  name: string
  published: number
  isOff: boolean
  hasToken: boolean
  origins: number
  identity: string
  /** The elements of published content that some pages did not find in the last days: `tour (step where-it-is)`. */
  missing: readonly string[]
}

/**
 * Whether published content reaches its users, and whether its users are who they say. The tables of content may be on
 * workers and those of tokens are not, so they are read by themselves.
 */
export async function checkGuidance(client: pg.ClientBase): Promise<Finding[]> {
  try {
    const content = await readContent(client)
    for (const { id, elements } of await readMissing(client)) {
      const figures = content.get(id)
      if (figures) content.set(id, { ...figures, missing: elements })
    }
    const sides = await readPublicSides(client, [...content.keys()])
    return judgeGuidance(sides.map(({ id, ...side }) => ({ ...side, ...(content.get(id) as ContentFigures) })))
  } catch (error) {
    // Another finding says which worker does not answer.
    if (!isUnreachable(error)) throw error
    return []
  }
}

type ContentFigures = Pick<GuidedEnvironment, 'published' | 'isOff' | 'missing'>

async function readContent(client: pg.ClientBase): Promise<Map<number, ContentFigures>> {
  const { rows } = await client.query<ContentFigures & { id: number }>(
    `select content.environment_id as id, count(*)::int as published,
            coalesce(bool_or(guidance.is_off), false) as "isOff", '{}'::text[] as missing
       from content
       left join guidance on guidance.environment_id = content.environment_id
      where content.published_version_id is not null
      group by content.environment_id`,
  )
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

/** By what pages have told of each element that they looked for (`results/target-names.ts`). */
async function readMissing(client: pg.ClientBase): Promise<{ id: number; elements: string[] }[]> {
  const { rows } = await client.query<{ id: number; elements: string[] }>(
    `select content.environment_id as id, array_agg(distinct case content.type when 'launcher' then content.key
              else content.key || ' (step ' || regexp_replace(counts.name, '^\\S+ (.*) missing$', '\\1') || ')' end) as elements
       from counts
       join content on content.environment_id = counts.environment_id
                   and content.published_version_id::text = split_part(counts.name, ' ', 1)
      where counts.kind = 'target' and counts.step = 'hour' and counts.at > now() - interval '${MISSING_DAYS} days'
        and counts.name like '% missing'
      group by content.environment_id`,
  )
  return rows
}

type PublicFigures = Pick<GuidedEnvironment, 'name' | 'hasToken' | 'origins' | 'identity'> & { id: number }

async function readPublicSides(client: pg.ClientBase, ids: readonly number[]): Promise<PublicFigures[]> {
  const { rows } = await client.query<PublicFigures>(
    `select environments.id, environments.name,
            exists (select from public_tokens
                     where environment_id = environments.id and revoked_at is null) as "hasToken",
            (select count(*)::int from public_origins where environment_id = environments.id) as origins,
            coalesce(public_settings.identity, 'off') as identity
       from environments
       left join public_settings on public_settings.environment_id = environments.id
      where environments.id = any($1::int[]) and environments.deleted_at is null and environments.name <> $2::text
      order by environments.id`,
    [ids, DEMO],
  )
  return rows
}

function judgeGuidance(environments: readonly GuidedEnvironment[]): Finding[] {
  const warnings = environments.flatMap(judgeEnvironment)
  if (warnings.length > 0) return warnings
  const published = environments.reduce((sum, environment) => sum + environment.published, 0)
  return [
    ok('guidance', published === 0 ? 'no content is published' : `${count(published)} published, none with a problem`),
  ]
}

/** Content that only the API shows needs no token, and is not judged by what pages need. */
function judgeEnvironment({ name, isOff, hasToken, origins, identity, missing }: GuidedEnvironment): Finding[] {
  const check = `guidance of ${name}`
  const say = (holds: boolean, finding: string, advice: string) => (holds ? [warning(check, finding, advice)] : [])
  return [
    ...say(isOff, 'all content is switched off', `npx usher guidance on --environment "${name}" shows it again.`),
    ...say(
      hasToken && origins === 0,
      'pages of localhost only may show content: there is no origin',
      `npx usher origins add https://app.example.com --environment "${name}"`,
    ),
    ...say(
      hasToken && origins > 0 && identity !== 'required',
      'a page is not asked to prove who its user is: it can say any user id',
      `Sign user ids in your back end, then: npx usher identity set required --environment "${name}"`,
    ),
    ...say(
      missing.length > 0,
      `pages did not find elements of: ${missing.join(', ')}`,
      'npx usher content check opens a page and says which locators find nothing.',
    ),
  ]
}
