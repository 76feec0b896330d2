/**
 * Wide entities: one logical entity of more than 252 properties, or of more than 1 MiB, stored in
 * several entities of a partition.
 *
 * <p>{@link io.lazuli.client.pattern.wide.AsyncWideTable} writes the parts in one entity group
 * transaction, under the row key followed by {@code ~00}, {@code ~01} and so on, and reads them
 * with one range query. Each part has at most 250 properties, and two more: the version, which is
 * new for every write of the whole, and the number of parts.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>All parts are written or none, wherever a client stops. If a value became narrower, its
 *       surplus parts are deleted.
 *   <li>A reader gets the result of one write, never parts of two: if the parts that a query found
 *       differ in their version, or some are missing, it reads again. (A query that takes several
 *       segments is not a snapshot; a transaction may happen in between.)
 *   <li>The ETag of part 00, which each writer of the whole replaces, serialises these writers.
 *       {@code update} and {@code merge} lose no change of another client; the last {@code
 *       upsertReplace} wins.
 *   <li>A merge of properties in one part sends and rewrites only that part. It does not change the
 *       version: of two merges of different parts, a reader may see only the later one.
 * </ul>
 *
 * <p>Costs: one request for a find of up to 4 MiB; one for an insert; two for each attempt of all
 * other writes.
 *
 * <p>When not to use it: an entity of more than 100 parts or 4 MiB does not fit in a transaction
 * and is rejected; large values belong in blobs (package {@code large}). If parts are read
 * separately, store them as separate entities.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.wide;
