/**
 * Log data: entries go to append blobs that are named by time, not to a table, where all of them
 * would be written to one partition or be spread so that no range can be read. Write with {@link
 * io.lazuli.client.pattern.log.AsyncLogWriter}, read with {@link
 * io.lazuli.client.pattern.log.AsyncLogReader}, which also reads the request logs in {@code $logs}.
 *
 * <h2>Where entries are</h2>
 *
 * <p>In {@code prefix/2026/07/31/1800/000001.log}: UTC, the hour of the entry, and a counter. Every
 * writer has blobs of its own, so lines of several writers never mix. A blob's metadata {@code
 * StartTime} and {@code EndTime} say what it covers; one without {@code EndTime} is open, or its
 * writer died.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>What was acknowledged is stored, once, and in the order in which it was appended.
 *   <li>A writer that sends each entry at once acknowledges it when it is stored. A crash loses
 *       nothing that was acknowledged.
 *   <li>A writer that buffers acknowledges an entry when it is in the buffer. A crash loses what is
 *       in the buffer: the entries of the last interval, or as many as the buffer holds while the
 *       service does not answer.
 *   <li>A request whose answer was lost is not repeated blindly: it has the position at which it
 *       appends as a condition, and if that fails, what is there is compared.
 * </ul>
 *
 * <h2>What it costs</h2>
 *
 * <p>One request for each flush, and three for each blob: to find a free counter, to make it, and
 * to set {@code EndTime}. Reading costs one for each hour that is touched, whole days, months and
 * years counting as one, and one for each blob that overlaps.
 *
 * <h2>When not to use it</h2>
 *
 * <p>Entries that are looked up one by one, by anything but time, belong into a table: see the log
 * tail pattern.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.log;
