import type { ContentDocument } from '../../contract/content/document.ts'
import { conditionsOf } from '../../contract/content/render.ts'
import { Compiler } from '../conditions/compile.ts'
import { findMarks } from '../content/guidance-queries.ts'
import { findPublished } from '../content/queries.ts'
import type { Database } from '../database/database.ts'
import type { Interest } from '../hints/interest.ts'
import type { PublishedSource } from '../hints/watched-content.ts'
import { findMeanings } from '../segments/queries.ts'

/** What the conditions of published content ask for, those of the segments that they name included. */
export function publishedSource(database: Database): PublishedSource {
  return {
    marks: (environmentIds) => findMarks(database, environmentIds),
    interest: async (environmentId) => {
      const [published, meanings] = await Promise.all([
        findPublished(database, environmentId),
        findMeanings(database, environmentId),
      ])
      const compiler = new Compiler(meanings)
      for (const { document } of published)
        for (const condition of allConditions(JSON.parse(document) as ContentDocument)) compiler.add(condition)
      return interestOf(compiler)
    },
  }
}

function allConditions(document: ContentDocument) {
  const { who, where } = document
  return [...(who ? [who] : []), ...(where ? [where] : []), ...conditionsOf(document)]
}

function interestOf({ needs: { attributes, probes, group, content, answers } }: Compiler): Interest {
  return {
    attributes,
    events: new Set(probes.map(({ event }) => event)),
    hasGroups: group,
    hasHistory: content.size + answers.size > 0,
  }
}
