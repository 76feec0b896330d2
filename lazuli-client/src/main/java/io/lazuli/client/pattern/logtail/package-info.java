/**
 * Log tail: entities that are returned newest first, because their row keys count down.
 *
 * <p>A table sorts by row key, ascending. A row key that begins with the time until the end of the
 * year 9999, in 19 digits of 100 nanoseconds, puts the newest entity first, so that a query for the
 * first ten entities returns the newest ten. The digits are the guide's {@code
 * DateTime.MaxValue.Ticks - DateTime.UtcNow.Ticks}, so that programs in other languages can share
 * such a table.
 *
 * <p>{@link io.lazuli.client.pattern.logtail.LogKeys} creates the row keys; {@link
 * io.lazuli.client.pattern.logtail.AsyncLogTail} reads and expires entities. They guarantee:
 *
 * <ul>
 *   <li>All keys differ, also within one tick and across processes. Keys of one {@code LogKeys}
 *       with the same time sort by the order of their creation, newest first.
 *   <li>The latest <em>n</em> entities of a partition cost one request (for <em>n</em> up to
 *       1,000).
 *   <li>Expiring costs two requests for each 100 entities. It may stop anywhere, be started again,
 *       and run in several processes at the same time. It does not touch entities that are not
 *       older than the given time.
 * </ul>
 *
 * <p>When not to use it: every insert goes to the front of its partition, so one busy partition
 * becomes a hot spot; spread it (package {@code spread}). If much is written and all of it expires,
 * use a table for each period (package {@code period}), which one request drops. The order depends
 * on the clocks of the writers.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.logtail;
