/**
 * A table for each period, so that old entities go by the table: in one request, whatever their
 * number.
 *
 * <p>{@link io.lazuli.client.pattern.period.AsyncPeriodTables} sends each entity to the table of
 * its day (or hour, or month), in UTC, makes that table when the first entity comes, asks all
 * tables of a range of time in turn, and drops those before a time.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>All processes use one table for a period, however many of them make it at once.
 *   <li>Once {@code dropBefore} has succeeded, an entity of a dropped period is refused with {@link
 *       io.lazuli.client.pattern.period.PeriodDropped}, by every process, for ever, and its table
 *       does not come back. While it runs, or if it was stopped half-way, such an entity is refused
 *       or goes with its table.
 *   <li>Whoever stops half-way leaves nothing that counts: a table that nobody uses at most, which
 *       the next drop of its period removes.
 * </ul>
 *
 * <h2>How</h2>
 *
 * <p>Were the table of a day named by the day alone, this could happen: a writer finds that the day
 * may be written; another process drops it; the writer makes the table anew. Creating a table
 * cannot be made conditional on anything, so the name is made to be used once: the day and eight
 * random digits. A <em>control table</em> has one partition with an entity for each period, which
 * tells its table, and the <em>mark</em>: the first period that is kept.
 *
 * <ul>
 *   <li>To open a period, a process reads the mark, creates a table, and then inserts the period's
 *       entity in one transaction with a condition on the mark's ETag. So it is entered only if the
 *       mark did not move and nobody else entered it; else the new table, which nobody has seen, is
 *       deleted again.
 *   <li>To drop, a process first moves the mark, from when on no period before it can be opened,
 *       then deletes all tables of periods before it, then their entities.
 *   <li>Processes remember the tables. The name of a dropped one never exists again, so a writer
 *       who remembers it meets {@code TableNotFound} (or {@code TableBeingDeleted}), looks again,
 *       and finds the mark.
 * </ul>
 *
 * <p>Costs: a write costs one request; the first of a process in a period one more, the first of
 * all three more. A query costs one request and those of each table. A drop costs four requests and
 * two for each period. When not to use it: if entities of one period expire at different times, or
 * if most queries span many periods.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.period;
