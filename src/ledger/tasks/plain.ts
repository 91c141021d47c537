/** The tasks of people and plans: what lists mean unless they name kinds. Written out as in the index `tasks_ready`. */
export const isPlain = "kind in ('task', 'phase')";
