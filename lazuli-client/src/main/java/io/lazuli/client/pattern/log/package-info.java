/**
 * Log data: entries go to append blobs that are named by time, not to a table. In a table they
 * would all be written to one partition, or be spread so that no range can be read. Write with
 * {@link io.lazuli.client.pattern.log.AsyncLogWriter}, read with {@link
 * io.lazuli.client.pattern.log.AsyncLogReader}, which also reads the request logs in {@code $logs}.
 *
 * <h2>Where entries are</h2>
 *
 * <p>In {@code prefix/2026/07/31/1800/000001.log}: UTC, the hour of the entry, and a counter. Every
 * writer has its own blobs, so lines of several writers never mix. A blob's metadata {@code
 * StartTime} and {@code EndTime} give the period that it covers; a blob without {@code EndTime} is
 * still open, or its writer crashed.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>An acknowledged entry is stored once, and entries are stored in the order in which they
 *       were appended.
 *   <li>An unbuffered writer acknowledges an entry when it is stored. A crash loses no acknowledged
 *       entry.
 *   <li>A buffering writer acknowledges an entry when it is in the buffer. A crash loses the
 *       contents of the buffer: the entries of the last interval, or more, up to the size of the
 *       buffer, if the service does not respond.
 *   <li>A request whose response was lost is not repeated blindly: it is conditional on the
 *       position at which it appends, and if that fails, the data at that position is compared.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * <p>One request for each flush, and three for each blob: to find a free counter, to create the
 * blob, and to set {@code EndTime}. Reading costs one listing for each hour, where a whole day,
 * month or year needs only one, and one request for each blob that overlaps.
 *
 * <h2>When not to use it</h2>
 *
 * <p>Entries that are looked up one by one, by anything other than time, belong in a table: see the
 * log tail pattern.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.log;
