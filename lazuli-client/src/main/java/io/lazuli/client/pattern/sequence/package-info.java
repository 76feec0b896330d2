/**
 * Sequence: unique, increasing numbers for several processes.
 *
 * <p>{@link io.lazuli.client.pattern.sequence.AsyncSequence} leases ranges of numbers to processes:
 * fast, with gaps. {@link io.lazuli.client.pattern.sequence.AsyncGaplessSequence} numbers the
 * entities of one partition without gaps: slow, one after the other.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>No number is returned twice, whatever crashes, pauses and lost responses there are. The
 *       entity of the sequence must not be deleted or restored from an old backup.
 *   <li>The numbers that one {@code AsyncSequence} returns increase. Numbers of different processes
 *       have no order, but a process abandons a range after {@code rangeMax}.
 *   <li>A crash leaves a gap of at most a range. A response that is lost leaves no gap, unless
 *       another process reserved a range in between.
 *   <li>{@code AsyncGaplessSequence} uses a number if and only if it stores the entity with it.
 * </ul>
 *
 * <p>Costs: two requests for each range and none for a number; without gaps two requests for each
 * number. When not to use it: if any unique value will do, use a UUID. Do not begin a partition key
 * with such a number, because then all inserts go to the end of the table.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.sequence;
