/**
 * Wide entities: one logical entity of more than 252 properties, or of more than 1 MiB, over
 * several entities of a partition.
 *
 * <p>{@link io.lazuli.client.pattern.wide.AsyncWideTable} writes the parts in one entity group
 * transaction, under the row key with {@code ~00}, {@code ~01} and so on behind it, and reads them
 * by one range query. Each part has 250 properties at most, and two more: the version, drawn anew
 * for every write of the whole, and the number of parts.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>All parts are written or none, wherever a client is stopped. A value that became narrower
 *       leaves no part behind.
 *   <li>A reader gets the whole as one write made it, never parts of two: if the parts that a query
 *       found differ in their version, or some are missing, it reads again. (A query that takes
 *       several segments is no snapshot; a transaction may come between.)
 *   <li>Writers of the whole are serialised by the ETag of part 00, which each of them replaces.
 *       {@code update} and {@code merge} lose no change of others; the last {@code upsertReplace}
 *       wins.
 *   <li>A merge of properties that lie in one part sends and rewrites that part alone. It belongs
 *       to no version: a reader may see, of two merges of different parts, the later one only.
 * </ul>
 *
 * <p>Costs: find, one request for up to 4 MiB; insert, one; all other writes, two for each attempt.
 *
 * <p>When not to use it: beyond 100 parts or 4 MiB no transaction takes it, and it is refused;
 * large values belong in blobs (package {@code large}). If parts are read on their own, they are
 * entities of their own.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.wide;
