/**
 * Log tail: entities that come back newest first, because their row keys count down.
 *
 * <p>A table sorts by row key, ascending. A row key that begins with the time which is left until
 * the end of the year 9999, in 19 digits of 100 nanoseconds, puts the newest entity first, so that
 * the last ten are a query for the first ten. The digits are those of the guide's {@code
 * DateTime.MaxValue.Ticks - DateTime.UtcNow.Ticks}, so that programs in other languages can share
 * such a table.
 *
 * <p>{@link io.lazuli.client.pattern.logtail.LogKeys} makes the row keys, {@link
 * io.lazuli.client.pattern.logtail.AsyncLogTail} reads and expires. What they promise:
 *
 * <ul>
 *   <li>Keys differ, in the same tick and in several processes too, and keys of one {@code LogKeys}
 *       with the same time are in the order they were made in, newest first.
 *   <li>The latest <em>n</em> of a partition cost one request (for <em>n</em> up to 1,000).
 *   <li>Expiring costs two requests for each 100 entities. It may stop anywhere, be begun anew, and
 *       run in several processes at once; what is not older than the given time is left alone.
 * </ul>
 *
 * <p>When not to use it: every insert goes to the front of its partition, so one busy partition
 * becomes a hot spot; spread it (package {@code spread}). If much is written and all of it expires,
 * a table for each period (package {@code period}) is dropped in one request. The order is that of
 * the clocks of the writers.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.logtail;
