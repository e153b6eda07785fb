/**
 * Agentic tasks and their rows. What was ordered, the plan, the problem and the rows are sealed. A task counts its rows by
 * state, and what they were charged: whoever changes a row changes the counts with it, so that to look at a task does not
 * read up to 100,000 rows.
 *
 * Paths compare element by element, and a row stands before its elements: the primary key is the order of the rows.
 * `number` is the order in which tasks came.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.tasks (
    id text primary key,
    number bigint generated always as identity,
    account text not null,
    state text not null,
    sealed bytea not null,
    plan bytea,
    problem bytea,
    pending int not null,
    completed int not null,
    failed int not null,
    divided int not null,
    erased int not null,
    charged bigint not null,
    ended_at bigint,
    kept_until bigint not null
  ) with (fillfactor = 70)`,
  `create index tasks_of_account on lading.tasks (account, number)`,
  `create index tasks_over on lading.tasks (kept_until)`,
  `create table lading.task_rows (
    task text not null references lading.tasks on delete cascade,
    path int[] not null,
    state text not null,
    due bigint not null,
    revision int not null,
    credits bigint not null,
    sealed bytea not null,
    subjects text[] not null,
    primary key (task, path)
  )`,
  // What is due is looked for often, behind many rows that have ended.
  `create index task_rows_pending on lading.task_rows (task, path, due) where state = 'pending'`,
  `create index task_rows_subjects on lading.task_rows using gin (subjects) with (gin_pending_list_limit = 128)`
]
