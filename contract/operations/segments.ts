import type { Operation } from '../operation.ts'
import { ListSegmentsQuery } from '../queries.ts'
import { CountSegment, ExplainSegment, SaveSegment } from '../requests/segments.ts'

const common = { tag: 'Segments', isAddition: true } as const

export const segmentOperations = {
  saveSegment: {
    ...common,
    method: 'POST',
    path: '/segments',
    summary: 'Save a segment',
    description:
      'Creates a segment, or replaces the one with the same `key`. Nothing is stored about its members: whoever fits is in it, from the next question on.',
    body: SaveSegment,
    response: 'Segment',
  },
  countSegment: {
    ...common,
    method: 'POST',
    path: '/segments/count',
    summary: 'Count the members of a condition',
    description:
      'Counts who fits a condition or a segment at the moment, and what each leaf selects by itself. A count that takes over 5 seconds is estimated from a sample. One count at a time runs in an environment; others wait for it.',
    body: CountSegment,
    response: 'SegmentCount',
  },
  explainSegment: {
    ...common,
    method: 'POST',
    path: '/segments/explain',
    summary: 'Explain why somebody fits a condition',
    description:
      'Evaluates a condition or a segment for one user or group, and answers every leaf with the value that was found. A user of several groups fits if one of them does; `group_id` names one of them.',
    body: ExplainSegment,
    response: 'Receipt',
    errors: ['not_found'],
  },
  getSegment: {
    ...common,
    method: 'GET',
    path: '/segments/:segment_id',
    summary: 'Get a segment',
    description: 'Returns the segment, by its id or its key.',
    response: 'Segment',
    errors: ['not_found'],
  },
  deleteSegment: {
    ...common,
    method: 'DELETE',
    path: '/segments/:segment_id',
    summary: 'Delete a segment',
    description:
      'Deletes the segment, by its id or its key. Refused while published content or another segment uses it. Answers the same when there is no such segment.',
    response: 'Deleted',
    errors: ['in_use'],
  },
  listSegments: {
    ...common,
    method: 'GET',
    path: '/segments',
    summary: 'List segments',
    description: 'Returns a page of the segments.',
    query: ListSegmentsQuery,
    response: 'SegmentList',
  },
} as const satisfies Record<string, Operation>
