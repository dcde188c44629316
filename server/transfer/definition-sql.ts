/** SQL of the lines of both tables. A writer is there when a member has chosen it: otherwise the next write decides. */
export const definitionSql = {
  attribute_definitions: `json_strip_nulls(json_build_object('object', 'attribute_definition', 'scope', item.scope, 'name', item.name,
    'data_type', item.data_type, 'display_name', item.display_name, 'description', item.description,
    'written_by', case when item.written_by_chosen then item.written_by end,
    'shown_unverified', case when item.shown_unverified then true end))::text`,
  event_definitions: `json_build_object('object', 'event_definition', 'name', item.name, 'display_name', item.display_name,
    'description', item.description)::text`,
}
