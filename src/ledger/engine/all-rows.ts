const PAGE = 1000;

/** Reads all pages of a list; `read` gets the last row of the previous page. */
export async function allRows<Row>(
  read: (limit: number, last: Row | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(PAGE, rows.at(-1));
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
