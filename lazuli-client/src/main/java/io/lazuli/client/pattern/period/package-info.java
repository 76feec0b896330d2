/**
 * One table for each period, so that one request deletes old entities, whatever their number,
 * together with their table.
 *
 * <p>{@link io.lazuli.client.pattern.period.AsyncPeriodTables} sends each entity to the table of
 * its day (or hour, or month), in UTC. It creates a table with its first entity, queries all tables
 * of a range of time in turn, and drops those before a time.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>All processes use one table for a period, however many of them create it at the same time.
 *   <li>Once {@code dropBefore} has succeeded, every process rejects entities of a dropped period
 *       for ever with {@link io.lazuli.client.pattern.period.PeriodDropped}, and the table is never
 *       created again. While it runs, or if it was interrupted, such an entity is either rejected
 *       or deleted with its table.
 *   <li>A process that stops half-way leaves at most a table that nobody uses, which the next drop
 *       of its period removes.
 * </ul>
 *
 * <h2>How it works</h2>
 *
 * <p>If the name of a day's table were the day alone, this could happen: a writer finds that the
 * day may be written; another process drops it; the writer creates the table again. The creation of
 * a table cannot be conditional, so each name is used only once: it is the day and eight random
 * digits. A <em>control table</em> has one partition with an entity for each period, which names
 * its table, and the <em>mark</em>: the first period that is kept.
 *
 * <ul>
 *   <li>To open a period, a process reads the mark, creates a table, and then inserts the period's
 *       entity in one transaction with a condition on the mark's ETag. So the period is opened only
 *       if the mark did not move and no other process opened the period; otherwise the new table,
 *       which no other process knows, is deleted.
 *   <li>To drop, a process first moves the mark, after which no earlier period can be opened, then
 *       deletes all tables of earlier periods, then their entities.
 *   <li>Processes remember the tables. The name of a dropped table is never used again, so a writer
 *       that remembers it gets {@code TableNotFound} (or {@code TableBeingDeleted}), reads the
 *       control table again, and finds the mark.
 * </ul>
 *
 * <p>Costs: a write costs one request; the first write of a process in a period costs one more, and
 * the very first in a period three more. A query costs one request and those of each table. A drop
 * costs four requests and two for each period. When not to use it: if entities of one period expire
 * at different times, or if most queries span many periods.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.period;
